import { type ChildProcess, fork } from 'node:child_process'
import { randomUUID } from 'node:crypto'
import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { cpus, tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { createClient } from '@integrity/client/every-endpoint'
import { consentDocument } from '../src/domains/interviews/sessions/consent/consent.model.ts'

/** One figure of a bench. `ratio` and `goal` where the bench compares with a baseline of the same run. */
export interface Figure {
  readonly name: string
  /** Begins with its number. */
  readonly value: string
  readonly baseline?: string
  readonly ratio?: number
  readonly goal?: string
  readonly met?: boolean
}
export interface Bench {
  readonly name: string
  readonly what: string
  /** `before`: its baseline is how it was done before, and stands first. */
  readonly form?: 'before'
  run(): Promise<Figure[]>
}

export interface BenchOrg {
  readonly orgId: string
  readonly sandboxKey: string
}
export interface BenchServer extends BenchOrg {
  readonly url: string
  /** The first of them is the server's own `orgId` and `sandboxKey`. */
  readonly orgs: readonly BenchOrg[]
  readonly dataDir: string
  readonly pid: number
  /** What of the server's heap is in use, MiB. */
  heapMiB(): Promise<number>
  stop(): Promise<void>
}

/** `BENCH_PROF=DIR` leaves a CPU profile of every forked process there. */
const profileFolder = process.env['BENCH_PROF']
const profiling = profileFolder ? ['--cpu-prof', '--cpu-prof-interval', '200', `--cpu-prof-dir=${profileFolder}`] : []

/** For what is compared without being kept to one core, on either side. */
export const allCores = `0-${cpus().length - 1}`

/** Forks a module on the first core, unless told other ones; what it sends first is its greeting. */
export const forkPinned = <T>(
  module: string,
  env: Record<string, string> = {},
  cores = '0',
): Promise<{ child: ChildProcess; hello: T }> => {
  const child = fork(fileURLToPath(new URL(module, import.meta.url)), [], {
    env: { ...process.env, ...env },
    execPath: '/usr/bin/taskset',
    execArgv: ['-c', cores, process.execPath, ...profiling],
    stdio: ['ignore', 'inherit', 'inherit', 'ipc'],
  })
  return new Promise((resolve, reject) => {
    child.once('message', (hello) => resolve({ child, hello: hello as T }))
    child.once('exit', (code) => reject(new Error(`${module} ended with ${code} before it was ready`)))
  })
}

/** Where the benches keep their files. */
export const benchFolder = (): string => process.env['BENCH_DIR'] ?? tmpdir()

/** For a server whose capacity is measured; any other has the ceilings that an operator gets. */
export const noCeilings = { BENCH_NO_CEILINGS: '1' }

export const startBenchServer = async (env: Record<string, string> = {}, cores?: string): Promise<BenchServer> => {
  const dataDir = mkdtempSync(join(benchFolder(), 'bench-'))
  const { child, hello } = await forkPinned<Pick<BenchServer, 'url' | 'orgId' | 'sandboxKey' | 'orgs'>>(
    './server-process.ts',
    { DATA_DIR: dataDir, ...env },
    cores,
  )
  return {
    ...hello,
    dataDir,
    pid: child.pid as number,
    heapMiB: () =>
      new Promise((resolve) => {
        child.once('message', ({ heapMiB }: { heapMiB: number }) => resolve(heapMiB))
        child.send('heap')
      }),
    stop: () =>
      new Promise((resolve) => {
        child.once('exit', () => {
          rmSync(dataDir, { recursive: true, force: true })
          resolve()
        })
        child.disconnect()
      }),
  }
}

/** The cookies of the first organisation's owner. */
export const memberCookie = async (server: BenchServer): Promise<string> => {
  const answer = await fetch(`${server.url}/v1/auth/login`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ email: 'bench-1@example.org', password: 'correct horse battery' }),
  })
  return answer.headers
    .getSetCookie()
    .map((line) => line.split(';')[0])
    .join('; ')
}

/** CPU seconds (user and system) of a process so far, from the kernel's own count of 10 ms ticks. */
export const cpuSeconds = (pid: number): number => {
  const fields = readFileSync(`/proc/${pid}/stat`, 'utf8').split(') ')[1]?.split(' ') ?? []
  return (Number(fields[11]) + Number(fields[12])) / 100
}
/** Resident memory of a process in MiB. */
export const residentMiB = (pid: number): number =>
  Number(/VmRSS:\s+(\d+)/.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))?.[1] ?? 0) / 1024

export interface LiveSession {
  readonly id: string
  readonly token: string
}

/** A live session with every lane agreed. */
export const liveSession = async (server: BenchServer, org: BenchOrg = server): Promise<LiveSession> => {
  const api = createClient({ baseUrl: server.url, token: org.sandboxKey })
  const { data } = await api.call('sessions.create', {
    body: { externalId: randomUUID(), config: { capture: { recording: true }, camera: { clips: true } } },
  })
  const agent = createClient({ baseUrl: server.url, token: data.agentJoinToken })
  const document = consentDocument(data.config)
  await agent.call('agent.sessions.register', {
    body: {
      consent: {
        version: document.version,
        locale: 'en',
        documentHash: document.hash,
        acceptedAt: new Date().toISOString(),
        lanes: Object.fromEntries(document.lanes.map(({ lane }) => [lane, true])),
      },
    },
  })
  return { id: data.id, token: data.agentJoinToken }
}

export const seconds = async (work: () => unknown): Promise<number> => {
  const started = process.hrtime.bigint()
  await work()
  return Number(process.hrtime.bigint() - started) / 1e9
}

export const median = (values: readonly number[]): number => {
  const sorted = [...values].sort((a, b) => a - b)
  return sorted[Math.floor(sorted.length / 2)] ?? Number.NaN
}

export const p95 = (times: readonly number[]): number =>
  times.toSorted((a, b) => a - b)[Math.ceil(times.length * 0.95) - 1] ?? Number.NaN

/** `at least` or `at most` a goal, where there is one. */
export const compared = (
  name: string,
  ours: number,
  baseline: number,
  unit: string,
  goal?: { atLeast?: number; atMost?: number },
): Figure => {
  const ratio = ours / baseline
  const round = (n: number) => (n >= 100 ? Math.round(n).toLocaleString('en') : n.toPrecision(3))
  const figure = { name, value: `${round(ours)} ${unit}`, baseline: `${round(baseline)} ${unit}`, ratio }
  if (!goal) return figure
  const met = goal.atLeast !== undefined ? ratio >= goal.atLeast : ratio <= (goal.atMost ?? Number.POSITIVE_INFINITY)
  return {
    ...figure,
    goal: goal.atLeast !== undefined ? `≥ ${goal.atLeast}` : `≤ ${goal.atMost}`,
    met,
  }
}
