import { UniqueViolation } from './types.ts'

/** Another writer kept the lock for longer than the engine waits, or the retries of a conflict are used up. */
export class DatabaseBusy extends Error {
  override readonly name = 'DatabaseBusy'
  constructor(cause: unknown) {
    super('the database is busy: another transaction holds what this one needs', { cause })
  }
}

/** There is no connection to the database server, or it broke before it answered. */
export class DatabaseUnreachable extends Error {
  override readonly name = 'DatabaseUnreachable'
  constructor(cause: unknown) {
    super('the database cannot be reached', { cause })
  }
}

/** COMMIT itself failed: whether the rows are there, nobody can tell. Any other error of a transaction leaves nothing of it. */
export class CommitFailed extends Error {
  override readonly name = 'CommitFailed'
  constructor(cause: unknown) {
    super('the transaction could not be committed', { cause })
  }
}

/** The transaction was used wrongly: nested, after its end, or after one of its statements failed. */
export class TransactionMisuse extends Error {
  override readonly name = 'TransactionMisuse'
}

const codeOf = (error: unknown): string =>
  error instanceof Error && 'code' in error && typeof error.code === 'string' ? error.code : ''

/** SQLSTATE of a transaction that may simply be run again: serialization_failure, deadlock_detected. */
export const isConflict = (error: unknown): boolean => codeOf(error) === '40001' || codeOf(error) === '40P01'

/**
 * A prepared statement whose result columns a migration has changed since (`cached plan must not change result type`).
 * Postgres names it only by the routine that raised it.
 */
export const isStalePlan = (error: unknown): boolean =>
  codeOf(error) === '0A000' && (error as { routine?: unknown }).routine === 'RevalidateCachedQuery'

/** Whether a statement waited for as long as it may, for a lock or at all: whoever asks again at once waits as long again. */
export const isTimeUp = (error: unknown): boolean =>
  error instanceof DatabaseBusy && ['55P03', '57014'].includes(codeOf(error.cause))

const socketCodes: ReadonlySet<string> = new Set(
  'ECONNREFUSED ECONNRESET EPIPE ETIMEDOUT ENOTFOUND EAI_AGAIN EHOSTUNREACH ENETUNREACH'.split(' '),
)
/**
 * SQLSTATEs of a server that has no connection for us or ends one: class 08, too many connections, going down, crashing, not
 * yet up, the database dropped, and a session or an open transaction that it no longer waits for.
 */
const awayStates = /^(08...|53300|57P0[1-5]|25P0[34])$/
/** What the driver says without a code. */
const brokenWords =
  /^(Connection terminated|timeout exceeded when trying to connect|Client has encountered a connection error)/

const isUnreachable = (error: unknown): boolean =>
  error instanceof Error &&
  (socketCodes.has(codeOf(error)) || awayStates.test(codeOf(error)) || brokenWords.test(error.message))

/** The driver's error as this project knows it; anything else comes back unchanged. */
export const mapDatabaseError = (error: unknown): unknown => {
  const code = codeOf(error)
  if (code === '23505') {
    return new UniqueViolation((error as { constraint?: string }).constraint ?? '', error)
  }
  if (code === 'SQLITE_CONSTRAINT_UNIQUE' || code === 'SQLITE_CONSTRAINT_PRIMARYKEY') {
    // SQLite has no field for it: "UNIQUE constraint failed: table.column, table.column".
    return new UniqueViolation((error as Error).message.replace(/^UNIQUE constraint failed: /, ''), error)
  }
  // A statement that the server ended because it took too long, or that waited too long for a lock.
  if (code === '57014' || code === '55P03') return new DatabaseBusy(error)
  if (code === 'SQLITE_BUSY' || code.startsWith('SQLITE_BUSY_') || isConflict(error)) return new DatabaseBusy(error)
  if (isUnreachable(error)) return new DatabaseUnreachable(error)
  return error
}

/** What COMMIT threw: a conflict or a broken constraint is known to have left nothing, of anything else that is not known. */
export const mapCommitError = (error: unknown): unknown => {
  const mapped = mapDatabaseError(error)
  return mapped === error || mapped instanceof DatabaseUnreachable ? new CommitFailed(mapped) : mapped
}
