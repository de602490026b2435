import { type GapReason, type LaneName, type Span, subtract } from '@integrity/protocol'
import * as z from 'zod'
import { type CoverageWindow, spanOf } from '../capture/coverage.ts'
import type { LastSample } from '../spool/spool-index.ts'
import { AccountSubject, keptSubject, type Statement, type Subject } from './account-subject.ts'

/** What the spool remembers of the time before the agent stopped. Times are epoch milliseconds. */
export interface BeforeStop {
  readonly samples: readonly LastSample[]
  readonly heartbeat: number | undefined
  readonly registeredAt: number | undefined
  readonly stillIntervalMs: number
}

/** A display whose last sample is this much older than the last heartbeat, and a few stills, had gone before the agent did. */
const staleDisplayMs = 60_000

export interface LaneAccountOptions {
  /** As it was kept last. */
  readonly kept: string | undefined
  /** Writes statements down, and the account with them, durably and at once. */
  readonly tell: (statements: readonly Statement[], account: string) => void
}

const keyOf = ({ lane, displayId = '' }: Subject): string => `${lane}\n${displayId}`
const isDisplay = ({ subject }: AccountSubject): boolean => subject.displayId !== undefined

/**
 * What this agent says of the time of its recorded lanes: each millisecond of a lane, from where it is wanted until it is not
 * any more, is said to be observed or missing exactly once, over kills and restarts.
 */
export class LaneAccount {
  readonly #tell: LaneAccountOptions['tell']
  readonly #subjects = new Map<string, AccountSubject>()

  constructor({ kept, tell }: LaneAccountOptions) {
    this.#tell = tell
    if (kept === undefined) return
    for (const { fromAt, startedAt, told, ...subject } of z.array(keptSubject).parse(JSON.parse(kept)))
      this.#add(new AccountSubject(subject, fromAt, { startedAt, told }))
  }

  /** These lanes are recorded from now on, where they were not before: kept at once, for an agent that is killed in its first seconds. */
  begin(lanes: readonly LaneName[], at: number): void {
    const known = this.#subjects.size
    for (const lane of lanes) this.#of({ lane }, at)
    if (this.#subjects.size > known) this.#say([])
  }

  /** No other lane is recorded any more. */
  keepOnly(lanes: readonly LaneName[], at: number): void {
    const ended = [...this.#subjects.values()].filter(({ subject }) => !lanes.includes(subject.lane))
    for (const subject of ended) this.#subjects.delete(keyOf(subject.subject))
    if (ended.length > 0) this.#say(ended.flatMap((subject) => subject.explain(at, 'end')))
  }

  windows(windows: readonly CoverageWindow[]): void {
    const said = windows.flatMap((window) => {
      const subject = this.#of(window, window.fromAt)
      const observed = subtract([window], window.gaps.map(spanOf))
      return [
        ...window.gaps.flatMap((gap) => subject.gap(spanOf(gap), gap.reason)),
        ...observed.flatMap((span) => subject.observed(span)),
      ]
    })
    if (said.length > 0) this.#say(said)
  }

  gap(subject: Subject, span: Span, reason: GapReason): void {
    this.#say(this.#of(subject, span.fromAt).gap(span, reason))
  }

  /** What the subject records from here on finds no room: none of it counts as observed until `release`. */
  hold(subject: Subject, from: number): void {
    this.#of(subject, from).hold(from)
  }

  release(subject: Subject, at: number): void {
    const held = this.#of(subject, at)
    const { heldAt } = held
    held.release()
    if (heldAt < at) this.#say(held.gap({ fromAt: heldAt, toAt: at }, 'storage_full'))
  }

  /** A display is not there any more. */
  displayGone(subject: Subject, at: number): void {
    const gone = this.#subjects.get(keyOf(subject))
    this.#subjects.delete(keyOf(subject))
    if (gone) this.#say(gone.explain(at, 'end'))
  }

  /** The agent leaves; a later one may go on. */
  stop(at: number): void {
    for (const [key, subject] of this.#subjects) if (isDisplay(subject) && !subject.hasRun) this.#subjects.delete(key)
    this.#say([...this.#subjects.values()].flatMap((subject) => subject.explain(at, 'end')))
  }

  /**
   * A restarted agent was gone until now. What it had on the disk by then was observed, also where that had not been said yet;
   * the rest is a gap. A lane of which nothing is known counts from the last heartbeat, else from the registration.
   */
  resume(lanes: readonly LaneName[], before: BeforeStop, now: number): void {
    const said = lanes.flatMap((lane) => {
      const samples = before.samples.filter((sample) => sample.lane === lane)
      const newest = samples.toSorted((a, b) => b.lastAt - a.lastAt)[0]
      const from = newest?.lastAt ?? before.heartbeat ?? before.registeredAt
      if (from !== undefined) this.#of({ lane }, from)
      // A display may have a still on the disk and not be spoken of yet.
      const freshAt = (before.heartbeat ?? 0) - staleDisplayMs - 2 * before.stillIntervalMs
      for (const { displayId, lastAt } of samples)
        if (displayId !== undefined && lastAt >= freshAt) this.#of({ lane, displayId }, lastAt)
      return [...this.#subjects.values()]
        .filter(({ subject }) => subject.lane === lane)
        .flatMap((subject) => {
          const { displayId } = subject.subject
          const last = displayId === undefined ? newest : samples.find((sample) => sample.displayId === displayId)
          return this.#goOn(subject, last, now)
        })
    })
    if (said.length > 0) this.#say(said)
  }

  #goOn(subject: AccountSubject, last: LastSample | undefined, now: number): Statement[] {
    const { toldUntil } = subject
    const lastAt = Math.min(now, last?.lastAt ?? toldUntil)
    const observed = subject.observed({ fromAt: Math.max(toldUntil, last?.fromAt ?? toldUntil), toAt: lastAt })
    const gone = subject.gap({ fromAt: subject.toldUntil, toAt: now }, 'agent_stopped')
    const statements = [...observed, ...gone, ...subject.explain(now)]
    subject.restart(now)
    return statements
  }

  #say(statements: readonly Statement[]): void {
    this.#tell(statements, JSON.stringify([...this.#subjects.values()]))
  }

  #add(subject: AccountSubject): AccountSubject {
    this.#subjects.set(keyOf(subject.subject), subject)
    return subject
  }

  #of(subject: Subject, from: number): AccountSubject {
    return this.#subjects.get(keyOf(subject)) ?? this.#add(new AccountSubject(subject, from))
  }
}
