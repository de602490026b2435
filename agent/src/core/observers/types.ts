import type { EventDataOf, ObservationKind, ObservationValue, ObserverName } from '@integrity/protocol'

/** What an observer saw, raw. */
export type Difference = {
  [Kind in ObservationKind]: { kind: Kind; value: ObservationValue<Kind> }
}[ObservationKind]

/** What an observer saw change; `baseline` is what held when observing began. */
export type Change = Difference & { baseline?: unknown; sinceBeforeSession?: boolean }

/** One observation as it is sent: wall clock (epoch ms), monotonic clock (ms), who saw it and how. */
export type Observation = {
  [Kind in ObservationKind]: {
    kind: Kind
    observedAt: number
    monotonicMs: number
    source: ObserverName
    data: EventDataOf<Kind>
  }
}[ObservationKind]

/** Whether this machine lets an observer see, and if not, why, in words for the candidate and the reader. */
export type Observability = { status: 'observable' } | { status: 'not_observable'; why: string }
export type Capability = { observer: string } & Observability

/** A stretch in which an observer that should have seen something could not. */
export interface ObserverGap {
  observer: ObserverName
  from: number
  to: number
  why: string
}

export type Emit = (change: Change) => void

/**
 * Watches one thing. `start` gives the baseline as changes with `sinceBeforeSession`, then every change, until
 * `signal` aborts; it throws when it can no longer see.
 */
export interface Observer {
  readonly name: ObserverName
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

/** How an observer looks on one system. */
export interface ObserverWay {
  /** The program, file or call. Sent with every observation. */
  method: string
  /** Milliseconds between two looks; 0 when it is told of every change. */
  intervalMs: number
  /** What looking costs this computer. */
  cost: string
  /** What it cannot see. */
  blind: string
}

/** Why an observer sees nothing on a system; a sentence for the candidate. */
export interface NotObservable {
  why: string
}

/** What the page of an observer says besides its ways. */
export interface ObserverReasons {
  /** Everyday reasons for what it tells; whole sentences. */
  harmless: readonly string[]
  /** What was measured of it here and by which test, or that it was not measured. */
  measured: string
}

/** How an observer looks, by system. */
export interface ObserverWays {
  /** What it reads, in plain words. */
  reads: string
  /** With the desktop application, where it is told more than a plain program is; on these systems. */
  shell?: ObserverWay & { on: readonly ObserverPlatform[] }
  linux: ObserverWay | NotObservable
  darwin: ObserverWay | NotObservable
  win32: ObserverWay | NotObservable
}

export type ObserverEntry = ObserverWays & ObserverReasons

/** The system this process runs on; any other Unix is looked at as Linux is. */
export const thisPlatform = (): ObserverPlatform =>
  process.platform === 'darwin' || process.platform === 'win32' ? process.platform : 'linux'
