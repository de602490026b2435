import { maxRecentRequests } from '@integrity/protocol'
import { Cache } from '../../platform/cache.ts'
import { createWaiter } from '../../platform/waiter.ts'
import type { Needs } from '../call.ts'
import {
  insertRequestsAcrossOrgs,
  listRequests,
  listUses,
  noteUsesAcrossOrgs,
  type RecentRequest,
  trimRequests,
} from './recent-requests.store.ts'

/** Under which name the calls of an identity provider are kept: a new token goes on where the one before it ended. */
export const provisioning = 'provisioning'
/** How long a request is shown. */
export const recentMs = 24 * 3_600_000
const flushMs = 1000
/** Requests that wait in one process; beyond it the oldest are left out, as the list would leave them out soon. */
const mostWaiting = 10_000

declare module '../parts.ts' {
  interface Parts {
    readonly recentRequests: RecentRequests
  }
}

/** Notes the requests of credentials in memory, and writes them a second later, all together: no request waits for it. */
export interface RecentRequests {
  note(request: RecentRequest): void
  start(): void
  /** Once all that was noted is written. */
  processAll(): Promise<void>
  stop(): Promise<void>
}

const nameOf = ({ orgId, credentialId }: RecentRequest): string => `${orgId} ${credentialId}`

/** The newest of each credential; what its ring would push out at once is never written. */
const createWaiting = () => {
  const rings = new Map<string, RecentRequest[]>()
  let waiting = 0
  return {
    add(request: RecentRequest): void {
      const name = nameOf(request)
      const known = rings.get(name)
      if (!known && waiting >= mostWaiting) return
      const ring = known ?? []
      rings.set(name, ring)
      ring.push(request)
      if (ring.length > maxRecentRequests || waiting >= mostWaiting) ring.shift()
      else waiting += 1
    },
    take(): RecentRequest[][] {
      const taken = [...rings.entries()].toSorted(([a], [b]) => (a < b ? -1 : 1)).map(([, requests]) => requests)
      rings.clear()
      waiting = 0
      return taken
    },
  }
}

const newestOf = (requests: readonly RecentRequest[]): RecentRequest =>
  requests.reduce((newest, one) => (one.at >= newest.at ? one : newest))

export const createRecentRequests = ({ clock, db, log }: Needs<'clock' | 'db' | 'log'>): RecentRequests => {
  const waiting = createWaiting()
  const waiter = createWaiter(clock)
  const ending = new AbortController()
  /** Requests of a credential that were written since its older ones were taken away. */
  const written = new Cache<number>({ limit: 10_000 })
  /** Once in a hundred requests of a credential: what is written a second does not grow with how many of them ask. */
  const isFull = (ring: readonly RecentRequest[]): boolean => {
    const name = ring[0] ? nameOf(ring[0]) : ''
    const count = (written.get(name) ?? 0) + ring.length
    const full = count >= maxRecentRequests
    written.set(name, full ? 0 : count)
    return full
  }
  let running: Promise<void> | undefined
  const flush = async (): Promise<void> => {
    const rings = waiting.take()
    if (rings.length === 0) return
    try {
      await db.transact(async (tx) => {
        await insertRequestsAcrossOrgs(tx, rings.flat())
        await noteUsesAcrossOrgs(tx, rings.map(newestOf))
        for (const [one] of rings.filter(isFull)) if (one) await trimRequests(tx, one, maxRecentRequests)
      })
    } catch (error) {
      log.info({ err: error }, 'the newest requests of keys could not be noted')
    }
  }
  const run = async (): Promise<void> => {
    while (!ending.signal.aborted) {
      await waiter.wait(flushMs, ending.signal)
      await flush()
    }
  }
  return {
    note: (request) => waiting.add(request),
    start: () => {
      running ??= run()
    },
    processAll: flush,
    stop: async () => {
      ending.abort()
      await running
      await flush()
    },
  }
}

/** The newest requests of one credential, newest first. */
export const requestsOf = (
  { reader, clock }: Needs<'reader' | 'clock'>,
  of: { readonly orgId: string; readonly credentialId: string },
): Promise<RecentRequest[]> => listRequests(reader, { ...of, since: clock.now() - recentMs, limit: maxRecentRequests })

/** When each of these credentials was used last, by id. */
export const lastUsesOf = async (
  { reader }: Needs<'reader'>,
  orgId: string,
  credentialIds: readonly string[],
): Promise<Map<string, number>> =>
  new Map(
    credentialIds.length === 0
      ? []
      : (await listUses(reader, orgId, credentialIds)).map(({ credentialId, usedAt }) => [credentialId, usedAt]),
  )
