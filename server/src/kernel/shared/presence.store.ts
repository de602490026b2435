import type { Reader, Tx } from '../../platform/db/types.ts'

export const sayPresent = async (tx: Tx, processId: string, now: number): Promise<void> => {
  await tx.run(
    `INSERT INTO server_processes (process_id, seen_at) VALUES (?, ?)
     ON CONFLICT (process_id) DO UPDATE SET seen_at = excluded.seen_at`,
    [processId, now],
  )
}

export const leave = async (tx: Tx, processId: string): Promise<void> => {
  await tx.run('DELETE FROM server_processes WHERE process_id = ?', [processId])
}

export const countPresent = async (reader: Reader, since: number): Promise<number> => {
  const row = await reader.get<{ n: number }>('SELECT count(*) AS n FROM server_processes WHERE seen_at > ?', [since])
  return row?.n ?? 0
}

export const forgetAbsent = async (tx: Tx, before: number): Promise<void> => {
  await tx.run('DELETE FROM server_processes WHERE seen_at <= ?', [before])
}
