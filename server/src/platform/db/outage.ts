import { DatabaseBusy, DatabaseUnreachable } from './errors.ts'

/** What the service cannot do without and has not got at the moment, with the words that callers and operators read. */
const words = {
  disk_full: 'the disk is full',
  disk_failing: 'the disk fails to read or write',
  disk_read_only: 'the disk cannot be written to',
  database_unreachable: 'the database cannot be reached',
  database_busy: 'the database is busy',
  database_connections: 'the database takes no more connections',
} as const

export type OutageCause = keyof typeof words
export interface Outage {
  readonly cause: OutageCause
  readonly words: string
}

/** Codes of the file system, of SQLite, and SQLSTATEs of Postgres. */
const causes: Readonly<Record<string, OutageCause>> = {
  ENOSPC: 'disk_full',
  EDQUOT: 'disk_full',
  SQLITE_FULL: 'disk_full',
  '53100': 'disk_full',
  EIO: 'disk_failing',
  SQLITE_CORRUPT: 'disk_failing',
  '58030': 'disk_failing',
  EROFS: 'disk_read_only',
  EACCES: 'disk_read_only',
  SQLITE_CANTOPEN: 'disk_read_only',
  '25006': 'disk_read_only',
}

/** Every cause there is, for whoever counts them. */
export const outageCauses = Object.keys(words) as readonly OutageCause[]

const causeOf = (error: Error): OutageCause | undefined => {
  if (error instanceof DatabaseUnreachable && (error.cause as { code?: unknown } | undefined)?.code === '53300')
    return 'database_connections'
  if (error instanceof DatabaseUnreachable) return 'database_unreachable'
  if (error instanceof DatabaseBusy) return 'database_busy'
  const { code } = error as { code?: unknown }
  if (typeof code !== 'string') return undefined
  if (code.startsWith('SQLITE_IOERR')) return 'disk_failing'
  if (code.startsWith('SQLITE_READONLY')) return 'disk_read_only'
  return causes[code]
}

/** The outage behind an error, where there is one: other errors wrap what the driver or the file system said. */
export const outageOf = (thrown: unknown): Outage | undefined => {
  let error = thrown
  for (let depth = 0; error instanceof Error && depth < 5; depth++) {
    const cause = causeOf(error)
    if (cause) return { cause, words: words[cause] }
    error = error.cause
  }
  return undefined
}
