import { iso, isoOrNull } from '../../../kernel/time.ts'
import type { StatementRow } from './statements.types.ts'

/** A statement as reports show it. */
export const statementView = ({ at, text, readAt }: StatementRow) => ({ at: iso(at), text, readAt: isoOrNull(readAt) })

/** With the request by which it can be marked as read; the words are empty once they were erased. */
export const contextStatementView = ({ requestId, at, text, readAt }: StatementRow) => ({
  requestId,
  at: iso(at),
  text: text ?? '',
  readAt: isoOrNull(readAt),
})
