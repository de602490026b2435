/** What the observers report. A closed set; each has a sentence for the candidate in the protocol's registry. */
export type ObservationKind =
  | 'display.added'
  | 'display.removed'
  | 'display.changed'
  | 'foreground.changed'
  | 'idle.started'
  | 'idle.ended'
  | 'screen.locked'
  | 'screen.unlocked'
  | 'power.suspended'
  | 'power.resumed'
  | 'network.changed'
  | 'process.matched'
  | 'process.ended'
  | 'device.added'
  | 'device.removed'
  | 'clipboard.used'
  | 'window.exclusion_started'
  | 'window.exclusion_ended'
  | 'vm.hint'
  | 'clock.jumped'

/** What an observer saw change; `value` is raw, `baseline` what held when observing began. */
export type Change = { kind: ObservationKind; value: unknown; baseline?: unknown; sinceBeforeSession?: boolean }

/** One observation as it is sent: wall clock (epoch ms), monotonic clock (ms), who saw it and how. */
export type Observation = {
  kind: ObservationKind
  observedAt: number
  monotonicMs: number
  source: string
  data: {
    observerVersion: number
    method: string
    value: unknown
    baseline?: unknown
    /** True when it was so before observing began. */
    sinceBeforeSession?: boolean
  }
}

/** Whether this machine lets an observer see, and if not, why, in words for the candidate and the reader. */
export type Observability = { status: 'observable' } | { status: 'not_observable'; why: string }
export type Capability = { observer: string } & Observability

/** A stretch in which an observer that should have seen something could not. */
export type ObserverGap = { observer: string; from: number; to: number; why: string }

export type Emit = (change: Change) => void

/**
 * Watches one thing. `start` gives the baseline as changes with `sinceBeforeSession`, then every change, until
 * `signal` aborts; it throws when it can no longer see.
 */
export type Observer = {
  readonly name: string
  readonly version: number
  /** How it looks: the program, file or call. */
  readonly method: string
  /** Milliseconds between two looks; 0 when it is told of every change. */
  readonly intervalMs: number
  probe(): Promise<Observability>
  start(emit: Emit, signal: AbortSignal): Promise<void>
}

/** The three systems the agent runs on, by Node's names. */
export type ObserverPlatform = 'linux' | 'darwin' | 'win32'

/** The system this process runs on; any other Unix is looked at as Linux is. */
export const thisPlatform = (): ObserverPlatform =>
  process.platform === 'darwin' || process.platform === 'win32' ? process.platform : 'linux'
