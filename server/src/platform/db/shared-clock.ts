import { type Clock, systemClock } from '../clock.ts'
import type { Db } from './types.ts'

/** A clock that goes by the database's, which all processes on it share. */
export interface SharedClock extends Clock {
  /** How far this machine's own clock is ahead of the database's (negative: behind), when it was last compared. Milliseconds. */
  readonly skewMs: number
  /** Compares the two. Where the answer took too long to tell, what was found before stands. */
  compare(): Promise<void>
  stop(): void
}

/** A machine that is further off takes no part: what was seen when is what the service says. Milliseconds. */
export const mostSkewMs = 5_000
/** Less than this may be the way to the database; nobody's clock is corrected for it. */
const toleratedMs = 1_000
const everyMs = 30_000

/**
 * Leases say until when work is somebody's, and every process reads them by its own clock: one that is ahead would take over
 * work under way. So where processes share a database they go by its time, and how far this machine is off is known.
 */
export const createSharedClock = (db: Pick<Db, 'reader' | 'servesMany'>, own: Clock = systemClock): SharedClock => {
  let skewMs = 0
  const isOff = (): boolean => Math.abs(skewMs) > toleratedMs
  const compare = async (): Promise<void> => {
    if (!db.servesMany) return
    const [asked, began] = [own.now(), performance.now()]
    const row = await db.reader.get<{ now: number }>(
      'SELECT (extract(epoch FROM clock_timestamp()) * 1000)::bigint AS now',
    )
    const tookMs = performance.now() - began
    if (row && tookMs < toleratedMs) skewMs = Math.round(asked + tookMs / 2 - row.now)
  }
  const timer = db.servesMany ? setInterval(() => void compare().catch(() => undefined), everyMs).unref() : undefined
  return {
    now: () => (isOff() ? own.now() - skewMs : own.now()),
    sleep: (ms, signal) => own.sleep(ms, signal),
    get skewMs() {
      return skewMs
    },
    compare,
    stop: () => clearInterval(timer),
  }
}
