import { createHash, randomBytes } from 'node:crypto'
import { type ClientOptions, createIntegrityClient, type IntegrityClient, IntegrityError } from '@integrity/client'
import type { Kept, Ledger } from './scale-ledger.ts'
import { allLanes, aSegment, fullConfig, newPicture } from './world.ts'
import { unzip } from './zips.ts'

const sha256 = (bytes: Buffer): string => createHash('sha256').update(bytes).digest('hex')

/** Servers are gone for seconds at a time. */
const patient = { maxAttempts: 60, baseMs: 50, capMs: 1000, maxElapsedMs: 120_000 }
export const clientOf = (baseUrl: string, apiKey: string, more: Partial<ClientOptions> = {}): IntegrityClient =>
  createIntegrityClient({ baseUrl, apiKey, retries: patient, ...more })

const stills = 4

export interface Interview {
  readonly id: string
  readonly externalId: string
  /** Of evidence, each acknowledged. */
  readonly items: number
}

/** Where interviews are held, and what writes down everything that is acknowledged there. */
export interface Door {
  readonly url: string
  readonly key: string
  readonly ledger: Ledger
}

/** Everything that is kept of a session, as somebody gets it who exports it. One request: an API key has 120 in a minute. */
export const bundleOf = async (api: IntegrityClient, id: string): Promise<Kept> => {
  const answer = await api.call('sessions.bundle', { params: { id } })
  return unzip(Buffer.from(await answer.arrayBuffer()))
}

export const evidenceIn = (kept: Kept): Buffer[] =>
  [...kept].filter(([name]) => name.startsWith('evidence/')).map(([, bytes]) => bytes)

type Row = Readonly<Record<string, string | null | undefined>>
const jsonIn = (kept: Kept, name: string): unknown => JSON.parse(kept.get(name)?.toString() ?? 'null')
const sessionIn = (kept: Kept): Row => jsonIn(kept, 'session.json') as Row
const consentIn = (kept: Kept): Row | undefined => (jsonIn(kept, 'consents.json') as Row[])[0]
const linesIn = (kept: Kept, name: string): Row[] =>
  (kept.get(name)?.toString() ?? '')
    .split('\n')
    .filter((line) => line !== '')
    .map((line) => JSON.parse(line) as Row)

/** Each of the two versions that stand beside each other in an upgrade may ask in its own words. */
const mostAsked = 20

/**
 * Answers what is asked, as the application does: again where another process asks it in other words.
 * @returns the hash of the document that was answered
 */
const agree = async (agent: IntegrityClient, id: string, at: () => string): Promise<string> => {
  for (let asked = 1; ; asked++) {
    const told = await agent.call('agent.sessions.config', { params: { id } })
    if (!told || !('consentDocument' in told))
      throw new Error('an agent that asks for the first time is told everything')
    const { version, hash: documentHash } = told.consentDocument
    const consent = { version, locale: 'en', documentHash, acceptedAt: at(), lanes: allLanes }
    try {
      await agent.call('agent.sessions.register', { body: { consent, device: { name: 'Laptop', platform: 'linux' } } })
      return documentHash
    } catch (error) {
      const isOther = error instanceof IntegrityError && 'consentDocument' in error.extra
      if (!isOther || asked === mostAsked) throw error
    }
  }
}

/** An interview from its creation to its end: pictures, one recording in parts, an event, and what was said. */
export const hold = async ({ url, key, ledger }: Door, n: number): Promise<Interview> => {
  const externalId = `scale-${n}`
  const { fetch } = ledger
  const at = () => new Date().toISOString()

  const office = clientOf(url, key, { fetch })
  const created = await office.call('sessions.create', { body: { externalId, config: fullConfig } })
  const params = { id: created.id }
  const wrote = (what: string, sent: string, find: (kept: Kept) => string | null | undefined) =>
    ledger.wrote({ sessionId: created.id, what: `${externalId}: ${what}`, sent, find })
  const wroteBytes = (what: string, sent: string) =>
    wrote(what, sent, (kept) => (evidenceIn(kept).map(sha256).includes(sent) ? sent : undefined))
  wrote('the session', externalId, (kept) => sessionIn(kept)['externalId'])

  const agent = clientOf(url, created.agentJoinToken, { fetch })
  const documentHash = await agree(agent, created.id, at)
  wrote('the consent', documentHash, (kept) => consentIn(kept)?.['documentHash'])

  for (let i = 0; i < stills; i++) {
    const bytes = await newPicture()
    const hash = sha256(bytes)
    const contentType = 'image/webp' as const
    const meta = { clientId: `${externalId}-${i}`, sha256: hash, capturedAt: at(), displayId: 'd1', contentType }
    await agent.call('agent.screenshots.upload', { params, raw: { bytes, contentType, meta } })
    wroteBytes(`still ${i}`, hash)
  }

  const clientId = `${externalId}-event`
  const event = { clientId, kind: 'display.added', observedAt: at(), source: 'displays', data: {} }
  await agent.call('agent.events.ingest', { params, body: { events: [event] } })
  const isIt = (line: Row) => line['clientId'] === clientId
  wrote('the event', event.kind, (kept) => linesIn(kept, 'events.jsonl').find(isIt)?.['kind'])
  const text = `Sentence ${randomBytes(8).toString('hex')}.`
  await agent.call('agent.transcript.upsert', { params, body: { segments: [{ ...aSegment(0), text }] } })
  wrote('the transcript', text, (kept) => linesIn(kept, 'transcript.jsonl')[0]?.['text'])

  const sound = Buffer.concat([Buffer.from('OggS'), randomBytes(3 * 1024 * 1024)])
  await agent.upload({
    sessionId: created.id,
    source: sound,
    evidenceType: 'system_audio_chunk',
    contentType: 'audio/ogg',
    capturedAt: at(),
    durationMs: 10_000,
    partSize: 1024 * 1024,
    metadata: { codec: 'opus' },
  })
  wroteBytes('the recording', sha256(sound))

  await office.call('sessions.end', { params })
  wrote('the end', 'ended', (kept) => sessionIn(kept)['state'])
  return { id: created.id, externalId, items: stills + 1 }
}
