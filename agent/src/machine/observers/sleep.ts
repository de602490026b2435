import { uptime } from 'node:os'
import { wayOf } from '../../core/observers/observer-table.ts'
import { aborted, createSampledObserver, polled, type Source } from '../../core/observers/sampled-observer.ts'
import { type Difference, type Observability, type Observer, thisPlatform } from '../../core/observers/types.ts'
import { type Clock, systemClock } from '../../shared/clock.ts'
import { askCommand } from './ask-command.ts'
import { helperFed } from './helper-fed.ts'
import type { ObserverOptions } from './observer-options.ts'
import type { ShellSignals } from './shell-signals.ts'

/** Shorter differences are the two clocks being read one after the other. */
const shortestMs = 2000

/** Asleep now, and how long in all; `totalMs` is null when the sleep's length is not known. */
export interface SleepState {
  asleep: boolean
  totalMs: number
  lastMs: number | null
}

/**
 * The times of the last sleep and wake in the answer of `sysctl -n kern.sleeptime kern.waketime`, epoch milliseconds:
 * two lines `{ sec = 1700000000, usec = 123456 } Tue Nov 14 22:13:20 2023`, or nought when the machine never slept.
 */
export const parseSleepTimes = (text: string): { sleptAt: number; wokeAt: number } | undefined => {
  const times = [...text.matchAll(/\{ sec = (\d+), usec = (\d+) \}/g)].map(
    ([, seconds, micros]) => Number(seconds) * 1000 + Math.floor(Number(micros) / 1000),
  )
  const [sleptAt, wokeAt] = times
  return sleptAt === undefined || wokeAt === undefined ? undefined : { sleptAt, wokeAt }
}

const shellTells =
  (shell: ShellSignals, clock: Clock): Source<SleepState> =>
  async (see, signal) => {
    let since: number | undefined
    see({ asleep: false, totalMs: 0, lastMs: null })
    const offs = [
      shell.on('suspend', () => {
        since = clock.wallMs()
        see({ asleep: true, totalMs: 0, lastMs: null })
      }),
      shell.on('resume', () => {
        see({ asleep: false, totalMs: 0, lastMs: since === undefined ? null : clock.wallMs() - since })
        since = undefined
      }),
    ]
    await aborted(signal)
    for (const off of offs) off()
  }

const readSleepTimes = async () => {
  const times = parseSleepTimes(await askCommand('/usr/sbin/sysctl', ['-n', 'kern.sleeptime', 'kern.waketime']))
  if (!times) throw new Error('sysctl tells no times of sleep')
  return times
}

/** macOS: the command is asked only when a look comes late, which sleeping makes it. */
const lateLooks = (clock: Clock, intervalMs: number, ask: typeof readSleepTimes) => {
  let lookedAt: number | undefined
  let wokeAt: number | undefined
  let totalMs = 0
  return async (): Promise<SleepState> => {
    const now = clock.wallMs()
    const late = lookedAt === undefined || now - lookedAt > intervalMs + shortestMs
    lookedAt = now
    if (late) {
      const times = await ask()
      if (wokeAt !== undefined && times.wokeAt > wokeAt) totalMs += Math.max(shortestMs, times.wokeAt - times.sleptAt)
      wokeAt = times.wokeAt
    }
    return { asleep: false, totalMs, lastMs: null }
  }
}

const changesOf = (before: SleepState, now: SleepState): Difference[] => {
  if (now.asleep && !before.asleep) return [{ kind: 'power.suspended', value: {} }]
  if (before.asleep && !now.asleep) return [{ kind: 'power.resumed', value: { asleepMs: now.lastMs } }]
  const asleepMs = Math.round(now.totalMs - before.totalMs)
  return asleepMs >= shortestMs ? [{ kind: 'power.resumed', value: { asleepMs } }] : []
}

export type SleepOptions = ObserverOptions & {
  /** Milliseconds asleep in all; by default, on Linux, the difference of its two clocks. */
  asleepMs?: () => number
  sleepTimes?: typeof readSleepTimes
}

const notTold = 'Whether the computer slept cannot be seen: the system does not tell it.'

/** The computer going to sleep and waking up; without the desktop application only the waking, with the sleep's length. */
export const createSleepObserver = (options: SleepOptions = {}): Observer => {
  const { clock = systemClock, shell, helper, platform = thisPlatform(), sleepTimes = readSleepTimes } = options
  const { asleepMs = () => uptime() * 1000 - clock.monotonicMs() } = options
  const way = wayOf('sleep', platform, shell !== undefined)
  const intervalMs = options.intervalMs ?? way.intervalMs
  const awake = (totalMs: number): SleepState => ({ asleep: false, totalMs, lastMs: null })
  const probe = async (): Promise<Observability> => {
    if (shell || platform === 'linux') return { status: 'observable' }
    return sleepTimes().then(
      () => ({ status: 'observable' }),
      () => ({ status: 'not_observable', why: notTold }),
    )
  }
  const source: Source<SleepState> = async (see, signal) => {
    if (shell) return shellTells(shell, clock)(see, signal)
    if (platform === 'darwin') return polled(lateLooks(clock, intervalMs, sleepTimes), intervalMs, clock)(see, signal)
    return polled(async () => awake(asleepMs()), intervalMs, clock)(see, signal)
  }
  return createSampledObserver<SleepState>({
    name: 'sleep',
    version: 1,
    way,
    intervalMs: options.intervalMs,
    clock,
    ...(platform === 'win32' && !shell
      ? helperFed(helper, 'asleep', notTold, ({ ms }) => awake(ms))
      : { probe, source }),
    initial: () => [],
    baseline: () => undefined,
    changes: changesOf,
  })
}
