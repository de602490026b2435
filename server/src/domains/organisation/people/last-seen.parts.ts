import type { Needs } from '../../../kernel/call.ts'
import { Cache } from '../../../platform/cache.ts'
import { markSeen } from './memberships.store.ts'

declare module '../../../kernel/parts.ts' {
  interface Parts {
    readonly lastSeen: LastSeen
  }
}

/** Notes when members were last here, beside their requests and at most every five minutes for each. */
export interface LastSeen {
  note(orgId: string, userId: string): void
  /** Once all that was noted is written. */
  settled(): Promise<void>
}

const everyMs = 5 * 60_000

export const createLastSeen = ({ clock, db, log }: Needs<'clock' | 'db' | 'log'>): LastSeen => {
  const known = new Cache<true>({ limit: 10_000, age: { ms: everyMs, now: () => clock.now() } })
  const running = new Set<Promise<void>>()
  const write = async (orgId: string, userId: string): Promise<void> => {
    try {
      await db.transact((tx) => markSeen(tx, { orgId, userId, now: clock.now() }))
    } catch (error) {
      log.info({ err: error }, 'when a member was here could not be noted')
    }
  }
  return {
    note(orgId, userId) {
      const name = `${orgId} ${userId}`
      if (known.get(name)) return
      known.set(name, true)
      const writing = write(orgId, userId).finally(() => running.delete(writing))
      running.add(writing)
    },
    async settled() {
      await Promise.all(running)
    },
  }
}
