import type { Reader, Tx } from '../../platform/db/types.ts'

export interface OpenRow {
  readonly id: string
  readonly processId: string
}

/** Whoever counts the places of a holder waits for who is counting them. Postgres alone: elsewhere one process counts by itself. */
export const lockHolder = async (tx: Tx, holder: string): Promise<void> => {
  await tx.get('SELECT pg_advisory_xact_lock(hashtextextended(?, 0)) IS NULL AS held', [holder])
}

/** Oldest first; those of processes that were not heard of since then are nobody's any more. */
export const listOpen = (tx: Tx, holder: string, since: number): Promise<OpenRow[]> =>
  tx.all<OpenRow>(
    `SELECT o.connection_id AS id, o.process_id AS "processId" FROM open_connections o
     JOIN server_processes p ON p.process_id = o.process_id
     WHERE o.holder = ? AND p.seen_at > ? ORDER BY o.opened_at, o.connection_id`,
    [holder, since],
  )

export const insertOpen = async (
  tx: Tx,
  row: { readonly holder: string; readonly id: string; readonly processId: string; readonly now: number },
): Promise<void> => {
  const sql = 'INSERT INTO open_connections (holder, connection_id, process_id, opened_at) VALUES (?, ?, ?, ?)'
  await tx.run(sql, [row.holder, row.id, row.processId, row.now])
}

export const deleteOpen = async (tx: Tx, holder: string, id: string): Promise<void> => {
  await tx.run('DELETE FROM open_connections WHERE holder = ? AND connection_id = ?', [holder, id])
}

export const deleteOpenOf = async (tx: Tx, processId: string): Promise<void> => {
  await tx.run('DELETE FROM open_connections WHERE process_id = ?', [processId])
}

export const idsOpenIn = async (reader: Reader, processId: string): Promise<Set<string>> => {
  const sql = 'SELECT connection_id AS id FROM open_connections WHERE process_id = ?'
  return new Set((await reader.all<{ id: string }>(sql, [processId])).map(({ id }) => id))
}

/** Deletes the connection slots of processes that are gone. */
export const deleteOrphans = async (tx: Tx, before: number): Promise<void> => {
  await tx.run(
    'DELETE FROM open_connections WHERE process_id NOT IN (SELECT process_id FROM server_processes WHERE seen_at > ?)',
    [before],
  )
}
