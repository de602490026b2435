import type { PostResult } from '../../platform/http-out/http-out.ts'
import type { Claim } from './delivery.service.ts'

/** Endpoints remembered as slow, so that the memory of them is bounded. */
const MAX_SLOW = 10_000

export interface Attempts {
  /** Attempts under way. */
  readonly size: number
  /** Attempts under way, by endpoint. */
  readonly busy: ReadonlyMap<string, number>
  /** How many an endpoint may have: one after it has timed out, so that many slow ones cannot take every place. */
  readonly shareOf: (endpointId: string) => number
  begin(claim: Claim): Promise<void>
  /** Resolves when the next of them ends, however it ends; at once when there is none. */
  next(): Promise<void>
}

/** Knows what one dispatcher is sending. */
export const createAttempts = (
  perEndpoint: number,
  attempt: (claim: Claim) => Promise<PostResult['outcome']>,
): Attempts => {
  const running = new Set<Promise<void>>()
  const busy = new Map<string, number>()
  const slow = new Set<string>()

  const run = async (claim: Claim): Promise<void> => {
    const { id } = claim.endpoint
    busy.set(id, (busy.get(id) ?? 0) + 1)
    try {
      const outcome = await attempt(claim)
      if (outcome !== 'timeout') slow.delete(id)
      else if (slow.size < MAX_SLOW) slow.add(id)
    } finally {
      const left = (busy.get(id) ?? 1) - 1
      if (left === 0) busy.delete(id)
      else busy.set(id, left)
    }
  }

  return {
    get size() {
      return running.size
    },
    busy,
    shareOf: (endpointId) => (slow.has(endpointId) ? 1 : perEndpoint),
    begin(claim) {
      const begun = run(claim)
      const ended = begun
        .catch(() => undefined)
        .finally(() => {
          running.delete(ended)
        })
      running.add(ended)
      return begun
    },
    async next() {
      if (running.size > 0) await Promise.race(running)
    },
  }
}
