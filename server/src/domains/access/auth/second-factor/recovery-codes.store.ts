import type { Reader, Tx } from '../../../../platform/db/types.ts'

/** Codes of a person that have not been used. */
export const countCodes = async (reader: Reader, userId: string): Promise<number> => {
  const row = await reader.get<{ n: number }>(
    'SELECT count(*) AS n FROM recovery_codes WHERE user_id = ? AND used_at IS NULL',
    [userId],
  )
  return row?.n ?? 0
}

export const codeIsGood = async (reader: Reader, userId: string, codeHash: string): Promise<boolean> =>
  (await reader.get('SELECT 1 AS one FROM recovery_codes WHERE user_id = ? AND code_hash = ? AND used_at IS NULL', [
    userId,
    codeHash,
  ])) !== undefined

/** False when the code is unknown or was already used. */
export const spendCode = async (tx: Tx, userId: string, codeHash: string, now: number): Promise<boolean> => {
  const { changes } = await tx.run(
    'UPDATE recovery_codes SET used_at = ? WHERE user_id = ? AND code_hash = ? AND used_at IS NULL',
    [now, userId, codeHash],
  )
  return changes === 1
}

export const deleteCodes = async (tx: Tx, userId: string): Promise<void> => {
  await tx.run('DELETE FROM recovery_codes WHERE user_id = ?', [userId])
}

export const insertCodes = (tx: Tx, userId: string, codeHashes: readonly string[], now: number) =>
  tx.insertMany(
    'recovery_codes',
    [
      { name: 'user_id', type: 'text' },
      { name: 'code_hash', type: 'text' },
      { name: 'created_at', type: 'bigint' },
    ],
    codeHashes.map((codeHash) => [userId, codeHash, now]),
  )
