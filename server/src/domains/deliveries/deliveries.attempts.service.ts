import type { Clock } from '../../platform/clock.ts'
import type { PostResult } from '../../platform/http-out/http-out.ts'
import type { Claim } from './deliveries.claim.service.ts'

/** Endpoints remembered as slow, so that the memory of them is bounded. */
const maxSlow = 10_000
/** An attempt without an answer for so long takes no place any more: it costs a socket, and others must not wait for it. */
const stuckMs = 500

export interface Attempts {
  /** Places taken: by attempts that have not been waiting for their receiver for long. */
  readonly posting: number
  /** The same by endpoint. */
  readonly busy: ReadonlyMap<string, number>
  /** Attempts that are not over: posting, or waiting for their result to be recorded. */
  readonly size: number
  /** How many an endpoint may have: one after it has timed out, so that many slow ones cannot take every place. */
  readonly shareOf: (endpointId: string) => number
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

/**
 * Knows what one dispatcher is sending. The place of a delivery that arrived is free before its result is recorded; that
 * of any other only after, because the result may say that the endpoint gets nothing more.
 */
export const createAttempts = <Made>(perEndpoint: number, clock: Clock, steps: AttemptSteps<Made>): Attempts => {
  const busy = new Map<string, number>()
  const slow = new Set<string>()
  /** When each attempt began, in that order. */
  const begun = new Map<Claim, number>()
  let size = 0
  let changed = Promise.withResolvers<void>()
  const change = (): void => {
    changed.resolve()
    changed = Promise.withResolvers<void>()
    steps.changed()
  }

  const free = (claim: Claim): void => {
    const id = claim.delivery.endpointId
    begun.delete(claim)
    const left = (busy.get(id) ?? 1) - 1
    if (left === 0) busy.delete(id)
    else busy.set(id, left)
    change()
  }

  const run = async (claim: Claim): Promise<void> => {
    const id = claim.delivery.endpointId
    let held = true
    try {
      const made = await steps.make(claim)
      const outcome = steps.outcomeOf(made)
      if (outcome !== 'timeout') slow.delete(id)
      else if (slow.size < maxSlow) slow.add(id)
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
      const since = clock.now() - stuckMs
      let stuck = 0
      for (const at of begun.values()) {
        if (at > since) break
        stuck += 1
      }
      return begun.size - stuck
    },
    get size() {
      return size
    },
    busy,
    shareOf: (endpointId) => (slow.has(endpointId) ? 1 : perEndpoint),
    begin(claim) {
      const id = claim.delivery.endpointId
      busy.set(id, (busy.get(id) ?? 0) + 1)
      begun.set(claim, clock.now())
      size += 1
      void run(claim)
    },
    next: () => changed.promise,
  }
}
