import { setTimeout as pause } from 'node:timers/promises'
import type { Balancer } from './balancer.ts'
import type { FrozenProxy } from './frozen-proxy.ts'
import type { S3Double } from './s3-double.ts'
import { type ServerProcess, skewed } from './scale-processes.ts'
import type { NoDisk, SmallDisk } from './small-disk.ts'

/** What troubles come over. */
export interface Stage {
  /** Those that serve behind the balancer, in places that stay. */
  readonly processes: ServerProcess[]
  readonly balancer: Balancer
  /** One more process, in no place yet. */
  readonly start: (more?: Readonly<Record<string, string>>) => Promise<ServerProcess>
  /** On the way to Postgres. */
  readonly postgres: FrozenProxy
  readonly bucket: S3Double
  /** Under DATA_DIR. */
  readonly disk: SmallDisk | NoDisk
  /** Whether `processes` are those of an older version; absent where there is none to be had. */
  readonly startsOlder: boolean
  /** How long a silence lasts. Milliseconds. */
  readonly troubleMs: number
  /** Holds an interview at one process. Throws when it cannot be held. */
  readonly holdAt: (process: ServerProcess) => Promise<void>
  readonly wrong: (words: string) => void
}

export interface Trouble {
  readonly name: string
  /** Why it cannot come on this machine. */
  readonly skipped?: string | undefined
  /** Brings it, and takes it away again. */
  readonly bring: () => Promise<void>
}

const balance = ({ processes, balancer }: Stage, ...more: readonly ServerProcess[]): void =>
  balancer.send([...processes, ...more].map(({ port }) => port))

interface Readiness {
  /** 0 where there was no answer. */
  readonly status: number
  readonly text: string
}

const readiness = async ({ url }: ServerProcess): Promise<Readiness> => {
  try {
    const answer = await fetch(`${url}/v1/health/ready`, { signal: AbortSignal.timeout(10_000) })
    return { status: answer.status, text: await answer.text() }
  } catch (error) {
    return { status: 0, text: (error as Error).message }
  }
}

const lookMs = 100
const patienceMs = 60_000

/** What a process says of itself once it says what is expected, or when nobody waits any longer. */
const lookUntil = async (process: ServerProcess, isSo: (found: Readiness) => boolean): Promise<Readiness> => {
  const end = Date.now() + patienceMs
  for (;;) {
    const found = await readiness(process)
    if (isSo(found) || Date.now() >= end) return found
    await pause(lookMs)
  }
}

const isWell = ({ status, text }: Readiness): boolean => status === 200 && !text.includes('"limited"')

/** Waits until every one of them is ready and short of nothing; what is not by then is told. */
export const recovered = async ({ wrong }: Stage, processes: readonly ServerProcess[]): Promise<void> => {
  for (const process of processes) {
    const found = await lookUntil(process, isWell)
    if (!isWell(found))
      wrong(`a process was not well again after ${patienceMs / 1000} s: ${found.status} ${found.text}`)
  }
}

/** Ends one process and starts another in its place. */
const replace = async (stage: Stage, at: number, signal: 'SIGTERM' | 'SIGKILL'): Promise<void> => {
  const { processes, balancer, start } = stage
  const rest = processes.filter((_, index) => index !== at).map(({ port }) => port)
  // A kill comes without a warning; who ends a process in order takes it out first.
  if (signal === 'SIGTERM') balancer.send(rest)
  await processes[at]!.end(signal)
  balancer.send(rest)
  processes[at] = await start()
  balance(stage)
}

/** A new one beside each old one, whose start migrates beneath it; then the old one goes. */
const upgrade = async (stage: Stage): Promise<void> => {
  const { processes, start, holdAt } = stage
  for (const [at, old] of processes.entries()) {
    const fresh = await start()
    balance(stage, fresh)
    await Promise.all([holdAt(old), holdAt(fresh)])
    processes[at] = fresh
    balance(stage)
    await old.end('SIGTERM')
  }
}

const fallSilent = async ({ bucket, troubleMs }: Stage): Promise<void> => {
  const over = Promise.withResolvers<'break'>()
  const before = bucket.fault
  bucket.fault = () => over.promise
  await pause(troubleMs)
  bucket.fault = before
  over.resolve('break')
}

const fillUp = async ({ disk, troubleMs }: Stage): Promise<void> => {
  if (!('fill' in disk)) return
  const end = Date.now() + troubleMs
  // What ends meanwhile makes room.
  for (; Date.now() < end; await pause(50)) await disk.fill()
  await disk.free()
}

const clockWords = 'the clock of this machine is'

/** A machine 8 s ahead is refused, so a balancer leaves it alone; one 2 s behind serves. */
const goAstray = async (stage: Stage): Promise<void> => {
  const { start, wrong, holdAt, troubleMs } = stage
  const ahead = await start(skewed(8000))
  const isRefused = ({ status, text }: Readiness) => status === 503 && text.includes(clockWords)
  const found = await lookUntil(ahead, isRefused)
  if (!isRefused(found)) wrong(`a clock 8 s ahead was not refused: ${found.status} ${found.text}`)
  const behind = await start(skewed(-2000))
  await recovered(stage, [behind])
  balance(stage, behind)
  await Promise.all([holdAt(behind), pause(troubleMs / 5)])
  balance(stage)
  await Promise.all([ahead, behind].map((process) => process.end('SIGTERM')))
}

/** In the order in which they come. */
export const troublesOf = (
  stage: Stage,
): { readonly first: readonly Trouble[]; readonly again: readonly Trouble[] } => {
  const { disk, postgres, processes, startsOlder, troubleMs } = stage
  let next = 0
  const end = (signal: 'SIGTERM' | 'SIGKILL') => () => replace(stage, next++ % processes.length, signal)
  const silence = async () => {
    postgres.freeze()
    await pause(troubleMs)
    postgres.thaw()
  }
  return {
    first: [
      { name: 'nothing', bring: () => pause(troubleMs / 5) },
      {
        name: 'an old version beside',
        skipped: startsOlder ? undefined : 'there is no older version to start',
        bring: () => upgrade(stage),
      },
    ],
    again: [
      { name: 'a process killed', bring: end('SIGKILL') },
      { name: 'a process ended', bring: end('SIGTERM') },
      { name: 'silent Postgres', bring: silence },
      { name: 'silent bucket', bring: () => fallSilent(stage) },
      { name: 'skewed clocks', bring: () => goAstray(stage) },
      { name: 'full disk', skipped: 'why' in disk ? disk.why : undefined, bring: () => fillUp(stage) },
    ],
  }
}
