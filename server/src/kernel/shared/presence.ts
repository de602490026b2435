import type { Clock } from '../../platform/clock.ts'
import type { Db } from '../../platform/db/types.ts'
import type { Log } from '../../platform/log/log.ts'
import { createWaiter } from '../../platform/waiter.ts'
import { deleteOpenOf } from './places.store.ts'
import { countPresent, leave, sayPresent } from './presence.store.ts'

const beatMs = 5_000
/** A process that was not heard of for so long is gone, and what it held is free. */
export const absentAfterMs = 15_000

export interface Presence {
  readonly processId: string
  /** Processes that serve on this database, as last counted; this one among them. */
  readonly processes: number
  start(): void
  /** Says that this process is there and counts the others. */
  processAll(): Promise<void>
  stop(): Promise<void>
}

export interface PresenceOptions {
  readonly clock: Clock
  readonly db: Db
  readonly log: Pick<Log, 'warn'>
  readonly processId: string
}

export const createPresence = ({ clock, db, log, processId }: PresenceOptions): Presence => {
  const stopping = new AbortController()
  const waiter = createWaiter(clock)
  let processes = 1
  let working: Promise<void> | undefined

  const beat = async (): Promise<void> => {
    const now = clock.now()
    await db.transact((tx) => sayPresent(tx, processId, now))
    processes = Math.max(1, await countPresent(db.reader, now - absentAfterMs))
  }
  const work = async (): Promise<void> => {
    while (!stopping.signal.aborted) {
      await beat().catch((error: unknown) => log.warn({ err: error }, 'this process could not say that it is there'))
      await waiter.wait(beatMs, stopping.signal)
    }
    // Whoever dies without this is missed a little later.
    const goes = db.transact(async (tx) => {
      await deleteOpenOf(tx, processId)
      await leave(tx, processId)
    })
    await goes.catch(() => undefined)
  }
  return {
    processId,
    get processes() {
      return processes
    },
    start() {
      if (db.servesMany) working ??= work()
    },
    processAll: async () => {
      if (db.servesMany) await beat()
    },
    async stop() {
      stopping.abort()
      await working
    },
  }
}
