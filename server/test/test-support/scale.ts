import { createHash, randomBytes } from 'node:crypto'
import { readdir } from 'node:fs/promises'
import path from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import { createIntegrityClient, type IntegrityClient } from '@integrity/client'
import { createClient } from '@integrity/client/every-endpoint'
import { type Balancer, startBalancer } from './balancer.ts'
import { cookieHeader, cookiesOf } from './portal.ts'
import { type Demo, type ServerProcess, startProcess, startProcesses } from './scale-processes.ts'
import { type Receiver, startReceiver } from './webhook-receiver.ts'
import { allLanes, fullConfig, newPicture } from './world.ts'

export interface ScaleOptions {
  readonly processes: number
  /** Interviews go on until so much time has passed, and every process was ended twice. Milliseconds. */
  readonly forMs: number
  /** DATABASE_URL, DATA_DIR and the like. */
  readonly env: Readonly<Record<string, string>>
  /** Where the evidence goes instead of to the folder: a bucket called `evidence`. */
  readonly s3?: { readonly endpoint: string; readonly accessKeyId: string; readonly secretAccessKey: string }
  readonly say?: (line: string) => void
}

export interface ScaleOutcome {
  readonly interviews: number
  readonly restarts: number
  readonly evidence: { readonly sent: number; readonly kept: number }
  readonly events: { readonly published: number; readonly streamed: number; readonly delivered: number }
  /** What is not as it has to be, in words. */
  readonly wrong: readonly string[]
}

const sha256 = (bytes: Buffer): string => createHash('sha256').update(bytes).digest('hex')
/** Servers are gone for seconds at a time. */
const patient = { maxAttempts: 60, baseMs: 50, capMs: 1000, maxElapsedMs: 120_000 }
export const clientOf = (baseUrl: string, apiKey: string, signal?: AbortSignal): IntegrityClient =>
  createIntegrityClient({ baseUrl, apiKey, retries: patient, ...(signal && { signal }) })

const stills = 4

interface Interview {
  readonly id: string
  readonly externalId: string
}

/** An interview from its creation to its end: pictures, and one recording in parts. */
export const hold = async (url: string, key: string, n: number): Promise<Interview> => {
  const externalId = `scale-${n}`
  const created = await clientOf(url, key).call('sessions.create', { body: { externalId, config: fullConfig } })
  const params = { id: created.id }
  const agent = clientOf(url, created.agentJoinToken)
  const told = await agent.call('agent.sessions.config', { params })
  if (!told || !('consentDocument' in told)) throw new Error('an agent that asks for the first time is told everything')
  const { version, hash: documentHash } = told.consentDocument
  const at = () => new Date().toISOString()
  const consent = { version, locale: 'en', documentHash, acceptedAt: at(), lanes: allLanes }
  await agent.call('agent.sessions.register', { body: { consent, device: { name: 'Laptop', platform: 'linux' } } })
  for (let i = 0; i < stills; i++) {
    const bytes = await newPicture()
    const meta = { clientId: `${externalId}-${i}`, sha256: sha256(bytes), capturedAt: at(), displayId: 'd1' } as const
    const raw = { bytes, contentType: 'image/webp', meta: { ...meta, contentType: 'image/webp' as const } }
    await agent.call('agent.screenshots.upload', { params, raw })
  }
  const sound = Buffer.concat([Buffer.from('OggS'), randomBytes(3 * 1024 * 1024)])
  await agent.upload({
    ...{ sessionId: created.id, source: sound, evidenceType: 'system_audio_chunk', contentType: 'audio/ogg' },
    ...{ capturedAt: at(), durationMs: 10_000, partSize: 1024 * 1024, metadata: { codec: 'opus' } },
  })
  await clientOf(url, key).call('sessions.end', { params })
  return { id: created.id, externalId }
}

/** The owner chooses the object store for the organisation. */
const keepIn = async (url: string, { orgId, email, password }: Demo, s3: NonNullable<ScaleOptions['s3']>) => {
  const api = createClient({ baseUrl: url })
  const login = await fetch(`${url}/v1/auth/login`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ email, password }),
  })
  const { portal_access = '' } = cookiesOf(login.headers)
  await api.call('portal.storage.put', {
    headers: cookieHeader({ portal_access }),
    params: { orgId },
    body: { provider: 's3', region: 'us-east-1', bucket: 'evidence', ...s3 },
  })
}

/** Opens every item of an interview, through the balancer: how many are not what was sent. */
const unreadable = async (url: string, key: string, id: string): Promise<number> => {
  const api = clientOf(url, key)
  const { items } = await api.call('sessions.evidence.list', { params: { id }, query: { limit: 100 } })
  let wrong = 0
  for (const item of items) {
    const { url: link } = await api.call('evidence.downloadUrl', { params: { id: item.id } })
    const answer = await fetch(link)
    const isWhole = answer.status === 200 && sha256(Buffer.from(await answer.arrayBuffer())) === item.sha256
    if (!isWhole) wrong += 1
  }
  return wrong
}

/** Names of the files of objects in the folder that the processes share. */
const inFolder = async (dataDir: string): Promise<string[]> => {
  const found = await readdir(path.join(dataDir, 'objects', 'objects'), { recursive: true, withFileTypes: true }).catch(
    () => [],
  )
  return found.filter((entry) => entry.isFile()).map(({ name }) => name)
}

interface Watching {
  readonly streamed: string[]
  readonly stop: () => Promise<void>
}

export const watch = (url: string, key: string): Watching => {
  const over = new AbortController()
  const streamed: string[] = []
  const read = async () => {
    for await (const event of clientOf(url, key).streamEvents({ signal: over.signal })) streamed.push(event.id)
  }
  const reading = read()
  return {
    streamed,
    stop: async () => {
      over.abort()
      await reading
    },
  }
}

/** Ends the processes in turn, by force and in order, each replaced before the next one goes. */
const disturb = async (
  { env, say }: ScaleOptions,
  processes: ServerProcess[],
  balancer: Balancer,
  goesOn: () => boolean,
): Promise<number> => {
  let restarts = 0
  while (goesOn()) {
    const at = restarts % processes.length
    const signal = restarts % 2 ? 'SIGTERM' : 'SIGKILL'
    const rest = processes.filter((_, index) => index !== at)
    // A kill comes without a warning; who ends a process in order takes it out first.
    if (signal === 'SIGTERM') balancer.send(rest.map(({ port }) => port))
    await processes[at]!.end(signal)
    balancer.send(rest.map(({ port }) => port))
    processes[at] = await startProcess(env)
    balancer.send(processes.map(({ port }) => port))
    restarts += 1
    say?.(`${signal}: process ${at} has gone and come back`)
  }
  return restarts
}

const listAll = async <T>(items: AsyncIterable<T>): Promise<T[]> => {
  const all: T[] = []
  for await (const item of items) all.push(item)
  return all
}

const lookMs = 100
const patienceMs = 120_000
/** Waits for what is on its way, but not forever: what is missing then is told. */
const settled = async (met: () => boolean): Promise<void> => {
  for (let waited = 0; !met() && waited < patienceMs; waited += lookMs) await pause(lookMs)
}

const twice = (ids: readonly string[]): number => ids.length - new Set(ids).size

/** Compares what was done with what is there. */
export const judge = async (
  api: IntegrityClient,
  held: readonly Interview[],
  { streamed }: Watching,
  receiver: Receiver,
): Promise<Omit<ScaleOutcome, 'restarts'>> => {
  const wrong: string[] = []
  const sessions = await listAll(api.items('sessions.list', { query: { limit: 100 } }))
  const kept = new Set(sessions.map(({ id }) => id))
  if (sessions.length !== held.length || held.some(({ id }) => !kept.has(id)))
    wrong.push(`${held.length} interviews were held and ${sessions.length} are there`)
  let evidence = 0
  for (const { id, externalId } of held) {
    const { total } = await api.call('sessions.evidence.list', { params: { id }, query: { limit: 1 } })
    evidence += total
    if (total !== stills + 1) wrong.push(`${externalId} has ${total} items instead of ${stills + 1}`)
  }
  const published = (await listAll(api.items('events.list', { query: { limit: 100 } }))).map(({ id }) => id)
  const delivered = () => receiver.received.map(({ body }) => (JSON.parse(body.toString()) as { id: string }).id)
  // What a killed process was sending is sent again when its lease is over.
  await settled(() => {
    const there = [new Set(delivered()), new Set(streamed)]
    return published.every((id) => there.every((ids) => ids.has(id)))
  })
  const [came, shown] = [new Set(delivered()), new Set(streamed)]
  const undelivered = published.filter((id) => !came.has(id))
  if (undelivered.length > 0) wrong.push(`${undelivered.length} of ${published.length} events were not delivered`)
  const missed = published.filter((id) => !shown.has(id))
  if (missed.length > 0) wrong.push(`${missed.length} of ${published.length} events were not streamed`)
  if (twice(streamed) > 0) wrong.push(`${twice(streamed)} events were streamed twice`)
  return {
    interviews: held.length,
    evidence: { sent: held.length * (stills + 1), kept: evidence },
    events: { published: published.length, streamed: streamed.length, delivered: came.size },
    wrong,
  }
}

/** Whether the first and the last interview can be opened, and nothing is in the folder that belongs into the store. */
const misplaced = async ({ env, s3 }: ScaleOptions, url: string, key: string, held: readonly Interview[]) => {
  const wrong: string[] = []
  for (const interview of [held[0], held.at(-1)]) {
    const closed = interview ? await unreadable(url, key, interview.id) : 0
    if (closed > 0) wrong.push(`${closed} items of ${interview?.externalId} cannot be opened`)
  }
  const files = s3 ? await inFolder(env['DATA_DIR'] ?? '') : []
  if (files.length > 0) wrong.push(`in the folder instead of the object store: ${files.join(', ')}`)
  return wrong
}

/** Several server processes behind a balancer, killed and restarted in turn while interviews are held through it. */
export const runScale = async (options: ScaleOptions): Promise<ScaleOutcome> => {
  const balancer = await startBalancer()
  const receiver = await startReceiver(() => Date.now())
  const env = { ...options.env, BASE_URL: balancer.url }
  const { processes, ...demo } = await startProcesses(options.processes, env)
  const { key } = demo
  try {
    balancer.send(processes.map(({ port }) => port))
    if (options.s3) await keepIn(balancer.url, demo, options.s3)
    const api = clientOf(balancer.url, key)
    await api.call('webhooks.create', { body: { url: receiver.url, eventTypes: ['*'] } })
    const watching = watch(balancer.url, key)
    const end = Date.now() + options.forMs
    const held: Interview[] = []
    let restarts = 0
    const goesOn = () => Date.now() < end || restarts < 2 * options.processes
    let begun = 0
    const interviewer = async () => {
      while (goesOn()) held.push(await hold(balancer.url, key, begun++))
    }
    const disturbing = disturb({ ...options, env }, processes, balancer, () => {
      if (!goesOn()) return false
      restarts += 1
      return true
    })
    await Promise.all([interviewer(), interviewer(), interviewer()])
    const done = await disturbing
    const outcome = await judge(api, held, watching, receiver)
    await watching.stop()
    return {
      ...outcome,
      wrong: [...outcome.wrong, ...(await misplaced(options, balancer.url, key, held))],
      restarts: done,
    }
  } finally {
    await balancer.stop()
    await Promise.all(processes.map((process) => process.end('SIGKILL')))
    await receiver.stop()
  }
}
