import { iso, isoOrNull } from '../../../kernel/time.ts'
import type { StatementRow } from './statements.types.ts'

type About = Pick<StatementRow, 'momentAt' | 'momentId'>

/** The moment that was written about; null for the whole interview. */
export const statedMomentView = ({ momentId, momentAt }: About) =>
  momentId === null || momentAt === null ? null : { id: momentId, at: iso(momentAt) }

/** A statement as reports show it. */
export const statementView = ({ at, text, readAt, ...about }: Omit<StatementRow, 'requestId'>) => ({
  at: iso(at),
  text,
  readAt: isoOrNull(readAt),
  moment: statedMomentView(about),
})

/** With the request by which it can be marked as read; the words are empty once they were erased. */
export const contextStatementView = ({ requestId, ...statement }: StatementRow) => ({
  requestId,
  ...statementView(statement),
  text: statement.text ?? '',
})
