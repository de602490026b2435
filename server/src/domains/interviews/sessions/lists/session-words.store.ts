import type { Scope } from '../../../../kernel/identity/scope.ts'
import type { ColumnSpec, Reader, Tx } from '../../../../platform/db/types.ts'

const columns: readonly ColumnSpec[] = [
  { name: 'org_id', type: 'text' },
  { name: 'environment', type: 'text' },
  { name: 'word', type: 'text' },
  { name: 'created_at', type: 'bigint' },
  { name: 'position', type: 'bigint' },
]

/** Where a session stands in lists, and the words that it is found by. */
export interface Worded {
  readonly createdAt: number
  readonly position: number
  readonly words: readonly string[]
  readonly externalId: string | null
}

export const findWorded = async (
  reader: Reader,
  { orgId, environment }: Scope,
  sessionId: string,
): Promise<Worded | undefined> => {
  const row = await reader.get<Omit<Worded, 'words'> & { words: string }>(
    `SELECT created_at AS "createdAt", position, search_words AS words, external_id AS "externalId" FROM sessions
     WHERE org_id = ? AND environment = ? AND session_id = ?`,
    [orgId, environment, sessionId],
  )
  return row && { ...row, words: row.words.split(' ').filter(Boolean) }
}

export const saveWords = async (
  tx: Tx,
  { orgId, environment }: Scope,
  sessionId: string,
  words: readonly string[],
): Promise<void> => {
  await tx.run('UPDATE sessions SET search_words = ? WHERE org_id = ? AND environment = ? AND session_id = ?', [
    words.join(' '),
    orgId,
    environment,
    sessionId,
  ])
}

type Place = Pick<Worded, 'createdAt' | 'position'>

export const insertBeginnings = async (
  tx: Tx,
  { orgId, environment }: Scope,
  { createdAt, position }: Place,
  beginnings: readonly string[],
): Promise<void> => {
  const rows = beginnings.map((word) => [orgId, environment, word, createdAt, position])
  if (rows.length > 0) await tx.insertMany('session_words', columns, rows)
}

export const deleteBeginnings = async (
  tx: Tx,
  { orgId, environment }: Scope,
  { createdAt, position }: Place,
  beginnings: readonly string[],
): Promise<void> => {
  for (let n = 0; n < beginnings.length; n += 100) {
    const some = beginnings.slice(n, n + 100)
    await tx.run(
      `DELETE FROM session_words WHERE org_id = ? AND environment = ? AND word IN (${some.map(() => '?').join(', ')})
         AND created_at = ? AND position = ?`,
      [orgId, environment, ...some, createdAt, position],
    )
  }
}

/** How many sessions have a word that begins so, counted up to `atMost`. */
export const countBeginning = async (
  reader: Reader,
  { orgId, environment }: Scope,
  word: string,
  atMost: number,
): Promise<number> => {
  const row = await reader.get<{ counted: number }>(
    `SELECT count(*) AS counted FROM (SELECT 1 AS one FROM session_words WHERE org_id = ? AND environment = ? AND word = ?
       LIMIT ?) AS places`,
    [orgId, environment, word, atMost],
  )
  return row?.counted ?? 0
}
