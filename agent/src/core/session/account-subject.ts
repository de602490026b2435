import { type GapReason, type LaneName, laneName, type Span, subtract, unionOf } from '@integrity/protocol'
import * as z from 'zod'

/** A lane, or one display of it. */
export interface Subject {
  readonly lane: LaneName
  readonly displayId?: string | undefined
}

/** What is said of a stretch of a subject's time: that it was observed, or why not. */
export interface Statement extends Subject, Span {
  readonly reason?: GapReason
}

const span = z.object({ fromAt: z.number(), toAt: z.number() })
export const keptSubject = z.object({
  lane: laneName,
  displayId: z.string().optional(),
  fromAt: z.number(),
  startedAt: z.number(),
  told: z.array(span),
})
type KeptSubject = z.output<typeof keptSubject>

/**
 * What was said of one subject since it is expected. Nothing is said twice, whatever comes in whichever order: what was said
 * first stands. Whole epoch ms.
 */
export class AccountSubject {
  readonly subject: Subject
  readonly fromAt: number
  /** When the run began that records it now. */
  #startedAt: number
  #told: readonly Span[]
  /** From here on nothing counts as observed: the items of this time find no room. */
  #heldAt = Number.POSITIVE_INFINITY

  constructor(
    { lane, displayId }: Subject,
    fromAt: number,
    { startedAt, told }: Pick<KeptSubject, 'startedAt' | 'told'> = { startedAt: fromAt, told: [] },
  ) {
    this.subject = displayId === undefined ? { lane } : { lane, displayId }
    this.fromAt = Math.round(fromAt)
    this.#startedAt = Math.round(startedAt)
    this.#told = told
  }

  /** Up to where something was said. */
  get toldUntil(): number {
    return Math.max(this.fromAt, this.#told.at(-1)?.toAt ?? this.fromAt)
  }

  get hasRun(): boolean {
    return this.toldUntil > this.#startedAt
  }

  get heldAt(): number {
    return this.#heldAt
  }

  /** A new run of the agent goes on with it. */
  restart(at: number): void {
    this.#startedAt = Math.max(Math.round(at), this.toldUntil)
  }

  hold(at: number): void {
    this.#heldAt = Math.min(this.#heldAt, Math.round(at))
  }

  release(): void {
    this.#heldAt = Number.POSITIVE_INFINITY
  }

  /** What of it is new. */
  gap({ fromAt, toAt }: Span, reason: GapReason): Statement[] {
    return this.#say({ fromAt: Math.round(fromAt), toAt: Math.round(toAt) }, reason)
  }

  /** As `gap`; what lies before it and was not explained until now never will be. */
  observed({ fromAt, toAt }: Span): Statement[] {
    const [from, to] = [Math.round(fromAt), Math.min(Math.round(toAt), this.#heldAt)]
    if (to <= from) return []
    return [...this.explain(from), ...this.#say({ fromAt: from, toAt: to })]
  }

  /** Names each stretch before `at` of which nothing was said; `end`: the subject is expected until then. */
  explain(at: number, end?: 'end'): Statement[] {
    const until = Math.round(at)
    const reasonOf = ({ fromAt, toAt }: Span): GapReason => {
      if (fromAt === this.#startedAt) return 'starting'
      return end && toAt === until ? 'stopping' : 'not_reported'
    }
    const holes = subtract([{ fromAt: this.fromAt, toAt: until }], this.#told)
    return holes.flatMap((hole) => this.#say(hole, reasonOf(hole)))
  }

  toJSON(): KeptSubject {
    return { ...this.subject, fromAt: this.fromAt, startedAt: this.#startedAt, told: [...this.#told] }
  }

  #say(whole: Span, reason?: GapReason): Statement[] {
    const expected = { fromAt: Math.max(whole.fromAt, this.fromAt), toAt: whole.toAt }
    const fresh = subtract([expected], this.#told)
    this.#told = unionOf(this.#told, fresh)
    return fresh.map((part) => ({ ...this.subject, ...part, ...(reason === undefined ? {} : { reason }) }))
  }
}
