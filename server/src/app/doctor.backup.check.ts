import type { Config } from '../kernel/config.ts'
import { type Finding, wordsOf } from './doctor.finding.ts'
import { readLastBackup } from './last-backup.ts'

const subject = 'backup'
const todo = 'admin backup --to FOLDER --recipient age1…, every night; docs/operating/backup.md'
/** As the alert has it. */
const oldHours = 26

/** How long ago the last backup ended. */
export const checkBackup = async ({ dataDir }: Config, now: number): Promise<Finding> => {
  try {
    const { at, rows } = await readLastBackup(dataDir)
    if (at === 0) return { subject, state: 'mend', reason: 'none was ever made', todo }
    const hours = Math.floor((now - at) / 3_600_000)
    const reason = `the last one ended ${hours} h ago${Number.isNaN(rows) ? '' : `, with ${rows} rows`}`
    return hours <= oldHours ? { subject, state: 'ok', reason } : { subject, state: 'mend', reason, todo }
  } catch (error) {
    return { subject, state: 'mend', reason: `what is known of the last one cannot be read: ${wordsOf(error)}`, todo }
  }
}
