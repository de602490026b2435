import { readdir } from 'node:fs/promises'
import path from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import { createClient } from '@integrity/client/every-endpoint'
import { startBalancer } from './balancer.ts'
import { frozenPostgres } from './frozen-proxy.ts'
import type { OldSources } from './last-release.ts'
import { cookieHeader, cookiesOf } from './portal.ts'
import type { S3Double } from './s3-double.ts'
import { watch } from './scale-events.ts'
import { clientOf, hold, type Interview } from './scale-interview.ts'
import { type Judged, judge } from './scale-judge.ts'
import { createLedger } from './scale-ledger.ts'
import { type Demo, type ServerProcess, startProcess, startProcesses } from './scale-processes.ts'
import { type Phase, tableOf } from './scale-table.ts'
import { recovered, type Stage, type Trouble, troublesOf } from './scale-troubles.ts'
import { mountSmallDisk } from './small-disk.ts'
import { startReceiver } from './webhook-receiver.ts'

export interface ScaleOptions {
  readonly processes: number
  /** Every trouble comes once, and again until so much time has passed. Milliseconds. */
  readonly forMs: number
  /** How long a silence, a full disk and the like last. Milliseconds. */
  readonly troubleMs: number
  /** DATABASE_URL, DATA_DIR (empty), and the like. */
  readonly env: Readonly<Record<string, string>> & { readonly DATABASE_URL: string; readonly DATA_DIR: string }
  /** Where the evidence goes instead of to the folder. */
  readonly bucket: S3Double
  /** The version that serves first; absent where the history holds none. */
  readonly older?: OldSources | undefined
  readonly say?: (line: string) => void
}

export interface ScaleOutcome extends Judged {
  readonly phases: readonly Phase[]
  /** A line for each trouble. */
  readonly table: string
}

const interviewers = 3
/** For what is staged of uploads in parts; 48 were too few. */
const diskMebibytes = 256

/** By then every process knows where an organisation keeps its evidence (`domains/administration/storage/places.parts.ts`: 5 s). */
const untilKnownMs = 6000

/** The owner chooses the object store for the organisation. */
const keepIn = async (url: string, { orgId, email, password }: Demo, { endpoint }: S3Double) => {
  const api = createClient({ baseUrl: url })
  const login = await fetch(`${url}/v1/auth/login`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ email, password }),
  })
  const { portal_access = '' } = cookiesOf(login.headers)
  const credentials = { accessKeyId: 'key', secretAccessKey: 'secret' }
  await api.call('portal.storage.put', {
    headers: cookieHeader({ portal_access }),
    params: { orgId },
    body: { provider: 's3', region: 'us-east-1', bucket: 'evidence', endpoint, ...credentials },
  })
}

/** Names of the files of objects in the folder that the processes share. */
const inFolder = async (dataDir: string): Promise<string[]> => {
  const found = await readdir(path.join(dataDir, 'objects', 'objects'), { recursive: true, withFileTypes: true }).catch(
    () => [],
  )
  return found.filter((entry) => entry.isFile()).map(({ name }) => name)
}

/** Brings one trouble after the other, each once the one before is over for everybody. */
const disturb = async (
  stage: Stage,
  { goesOn, say, hold }: { goesOn: () => boolean; say: (line: string) => void; hold: () => Promise<void> },
): Promise<Phase[]> => {
  const phases: Phase[] = []
  const { first, again } = troublesOf(stage)
  const come = async ({ name, skipped, bring }: Trouble) => {
    say(skipped === undefined ? name : `${name}: SKIPPED, ${skipped}`)
    const from = Date.now()
    if (skipped === undefined) {
      await bring()
      await recovered(stage, stage.processes)
      await hold()
    }
    phases.push({ trouble: name, from, to: Date.now(), skipped })
  }
  for (const trouble of [...first, ...again]) await come(trouble)
  const possible = again.filter(({ skipped }) => skipped === undefined)
  for (let next = 0; goesOn(); next += 1) await come(possible[next % possible.length]!)
  return phases
}

/** Several server processes behind a balancer, which one trouble after the other comes over while interviews are held. */
export const runScale = async (options: ScaleOptions): Promise<ScaleOutcome> => {
  const { bucket, older, troubleMs, say = () => undefined } = options
  // It would keep every body that it was ever sent.
  bucket.fault = () => void bucket.asks.splice(0)
  const postgres = await frozenPostgres(options.env.DATABASE_URL)
  const disk = mountSmallDisk(options.env.DATA_DIR, diskMebibytes)
  const balancer = await startBalancer()
  const receiver = await startReceiver(() => Date.now())
  const env = { ...options.env, DATABASE_URL: postgres.url, BASE_URL: balancer.url }
  const all: ServerProcess[] = []
  try {
    const { processes, ...demo } = await startProcesses(options.processes, env, older?.main)
    all.push(...processes)
    const { key } = demo
    balancer.send(processes.map(({ port }) => port))
    await keepIn(balancer.url, demo, bucket)
    await pause(untilKnownMs)
    const api = clientOf(balancer.url, key)
    await api.call('webhooks.create', { body: { url: receiver.url, eventTypes: ['*'] } })
    const watching = watch(balancer.url, key)
    const ledger = createLedger()
    const [held, wrong]: [Interview[], string[]] = [[], []]
    let begun = 0
    const holdAt = async ({ url }: { readonly url: string }) => {
      held.push(await hold({ url, key, ledger }, begun++))
    }
    const end = Date.now() + options.forMs
    const stage: Stage = {
      processes,
      balancer,
      postgres,
      bucket,
      disk,
      startsOlder: older !== undefined,
      troubleMs,
      holdAt,
      start: async (more) => {
        const process = await startProcess({ ...env, ...more })
        all.push(process)
        return process
      },
      wrong: (words) => wrong.push(words),
    }
    let isOver = false
    const interviewer = async () => {
      try {
        while (!isOver) await holdAt(balancer)
      } catch (error) {
        wrong.push(`an interview was given up: ${(error as Error).message}`)
      }
    }
    const interviewing = Promise.all(Array.from({ length: interviewers }, interviewer))
    const phases = await disturb(stage, { goesOn: () => Date.now() < end, say, hold: () => holdAt(balancer) }).finally(
      () => {
        isOver = true
      },
    )
    await interviewing
    const from = Date.now()
    const judged = await judge(api, { held, ledger, watching, receiver })
    await watching.stop()
    phases.push({ trouble: 'afterwards', from, to: Date.now() })
    const files = await inFolder(options.env.DATA_DIR)
    if (files.length > 0) wrong.push(`in the folder instead of the object store: ${files.join(', ')}`)
    return {
      ...judged,
      wrong: [...wrong, ...judged.wrong],
      phases,
      table: tableOf(phases, { ...judged, answers: ledger.answers }),
    }
  } finally {
    await balancer.stop()
    await Promise.all(all.map((process) => process.end('SIGKILL')))
    await receiver.stop()
    postgres.thaw()
    await postgres.close()
    if ('remove' in disk) disk.remove()
  }
}
