import type { Clock } from '../../../platform/clock.ts'
import type { PostResult } from '../../../platform/http-out/http-out.ts'
import type { Claim } from './deliveries.claim.service.ts'
import type { Widths } from './deliveries.widths.parts.ts'

/** An attempt without an answer for so long takes no place any more: it costs a socket, and others must not wait for it. */
const stuckMs = 500

export interface Attempts {
  /** Places taken: by attempts that have not been waiting for their receiver for long. */
  readonly posting: number
  /** The same by endpoint. */
  readonly busy: ReadonlyMap<string, number>
  /** Attempts that are not over: posting, or waiting for their result to be recorded. */
  readonly size: number
  /** How many an endpoint may have, when `chosen` more are about to begin. */
  readonly shareOf: (endpointId: string, chosen: number) => number
  begin(claim: Claim): void
  /** Resolves when the next place becomes free or the next result is recorded. */
  next(): Promise<void>
}

export interface AttemptSteps<Made> {
  /** Makes the attempt. Rejects when nothing was learnt about the receiver. */
  make(claim: Claim): Promise<Made>
  record(made: Made): Promise<void>
  outcomeOf(made: Made): PostResult['outcome'] | undefined
  failed(claim: Claim, error: unknown): void
  /** Called whenever a place becomes free or a result is recorded. */
  changed(): void
}

/** How many attempts each endpoint has under way. */
const createBusy = () => {
  const busy = new Map<string, number>()
  return {
    busy,
    /** One more; how many there are then. */
    add: (id: string): number => {
      const now = (busy.get(id) ?? 0) + 1
      busy.set(id, now)
      return now
    },
    remove: (id: string): void => {
      const left = (busy.get(id) ?? 1) - 1
      if (left === 0) busy.delete(id)
      else busy.set(id, left)
    },
  }
}

/** How many of these, which stand in the order of their beginning, have begun by then. */
const begunBy = (then: number, begun: Iterable<{ readonly at: number }>): number => {
  let count = 0
  for (const { at } of begun) {
    if (at > then) break
    count += 1
  }
  return count
}

/**
 * Knows what one dispatcher is sending. The place of a delivery that arrived is free before its result is recorded; that
 * of any other only after, because the result may say that the endpoint gets nothing more.
 */
export const createAttempts = <Made>(
  widths: Widths,
  { clock, steps }: { readonly clock: Clock; readonly steps: AttemptSteps<Made> },
): Attempts => {
  const { busy, add, remove } = createBusy()
  /** When each attempt began, in that order, and how many of its endpoint were under way then. */
  const begun = new Map<Claim, { readonly at: number; readonly busy: number }>()
  let size = 0
  let changed = Promise.withResolvers<void>()
  const change = (): void => {
    changed.resolve()
    changed = Promise.withResolvers<void>()
    steps.changed()
  }

  const free = (claim: Claim): void => {
    begun.delete(claim)
    remove(claim.delivery.endpointId)
    change()
  }

  const run = async (claim: Claim): Promise<void> => {
    let held = true
    try {
      const made = await steps.make(claim)
      const outcome = steps.outcomeOf(made)
      if (outcome !== undefined) widths.note(claim.delivery.endpointId, outcome, begun.get(claim)?.busy ?? 0)
      if (outcome === 'success') {
        held = false
        free(claim)
      }
      await steps.record(made)
    } catch (error) {
      steps.failed(claim, error)
    } finally {
      size -= 1
      if (held) free(claim)
      else change()
    }
  }

  return {
    get posting() {
      return begun.size - begunBy(clock.now() - stuckMs, begun.values())
    },
    get size() {
      return size
    },
    busy,
    // Those that wait long for their receiver count here: an endpoint that hangs takes no more than was spare.
    shareOf: (endpointId, chosen) => widths.share(endpointId, busy.get(endpointId) ?? 0, begun.size + chosen),
    begin(claim) {
      begun.set(claim, { at: clock.now(), busy: add(claim.delivery.endpointId) })
      size += 1
      void run(claim)
    },
    next: () => changed.promise,
  }
}
