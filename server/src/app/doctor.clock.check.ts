import type { MigratableDb } from '../platform/db/dialect.ts'
import { createSharedClock, mostSkewMs } from '../platform/db/shared-clock.ts'
import { type Finding, wordsOf } from './doctor.finding.ts'

const subject = 'clock'
/** Above this nobody's clock is off by chance. Milliseconds. */
const noticedMs = 1_000

export const clockFinding = (skewMs: number): Finding => {
  const seconds = Math.abs(skewMs / 1000).toFixed(1)
  const reason = `this machine is ${seconds} s ${skewMs < 0 ? 'behind' : 'ahead of'} the database`
  if (Math.abs(skewMs) <= noticedMs) return { subject, state: 'ok', reason: 'goes with the database, within a second' }
  const todo = 'let both go by NTP: timedatectl set-ntp true; chronyc tracking'
  const isRefused = Math.abs(skewMs) > mostSkewMs
  return {
    subject,
    state: isRefused ? 'mend' : 'note',
    reason: isRefused ? `${reason}; above 5 s a process is not ready` : reason,
    todo,
  }
}

/** This machine's clock against the database's; a SQLite has this machine's. */
export const checkClock = async (db: MigratableDb): Promise<Finding> => {
  if (!db.servesMany)
    return {
      subject,
      state: 'note',
      reason: 'SQLite has no clock of its own to compare with',
      todo: 'see that this says yes: timedatectl show -p NTPSynchronized',
    }
  const clock = createSharedClock(db)
  try {
    await clock.compare()
    return clockFinding(clock.skewMs)
  } catch (error) {
    return {
      subject,
      state: 'mend',
      reason: `could not be compared: ${wordsOf(error)}`,
      todo: 'mend the database first',
    }
  } finally {
    clock.stop()
  }
}
