import type { FactorKind } from '@integrity/protocol'
import type { Reader, Tx } from '../../../../platform/db/types.ts'

/** A factor belongs to a person, not to an organisation. Times are epoch milliseconds. */
export interface FactorRow {
  readonly id: string
  readonly userId: string
  readonly kind: FactorKind
  readonly label: string | null
  /** Of an authenticator app: its secret, readable with the master key alone, and the last step whose code was taken. */
  readonly sealedSecret: string | null
  readonly lastStep: number | null
  /** Of a passkey: base64url. */
  readonly credentialId: string | null
  readonly publicKey: string | null
  /** Names with spaces between them. */
  readonly transports: string | null
  readonly counter: number
  readonly createdAt: number
  readonly lastUsedAt: number | null
}

const columns = `factor_id AS id, user_id AS "userId", kind, label, sealed_secret AS "sealedSecret", last_step AS "lastStep",
  credential_id AS "credentialId", public_key AS "publicKey", transports, counter, created_at AS "createdAt",
  last_used_at AS "lastUsedAt"`

/** Oldest first. */
export const listFactors = (reader: Reader, userId: string): Promise<FactorRow[]> =>
  reader.all<FactorRow>(`SELECT ${columns} FROM second_factors WHERE user_id = ? ORDER BY created_at, factor_id`, [
    userId,
  ])

export const credentialExists = async (reader: Reader, credentialId: string): Promise<boolean> =>
  (await reader.get('SELECT 1 AS one FROM second_factors WHERE credential_id = ?', [credentialId])) !== undefined

export const insertFactor = async (tx: Tx, factor: FactorRow): Promise<void> => {
  await tx.run(
    `INSERT INTO second_factors (factor_id, user_id, kind, label, sealed_secret, last_step, credential_id, public_key,
       transports, counter, created_at, last_used_at)
     VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)`,
    [
      ...[factor.id, factor.userId, factor.kind, factor.label, factor.sealedSecret, factor.lastStep],
      ...[factor.credentialId, factor.publicKey, factor.transports, factor.counter],
      ...[factor.createdAt, factor.lastUsedAt],
    ],
  )
}

export const deleteFactor = async (tx: Tx, userId: string, id: string): Promise<boolean> => {
  const { changes } = await tx.run('DELETE FROM second_factors WHERE user_id = ? AND factor_id = ?', [userId, id])
  return changes === 1
}

/** Takes the code of a step. False: it, or a later one, was taken before. */
export const spendStep = async (tx: Tx, id: string, step: number, now: number): Promise<boolean> => {
  const { changes } = await tx.run(
    'UPDATE second_factors SET last_step = ?, last_used_at = ? WHERE factor_id = ? AND last_step < ?',
    [step, now, id, step],
  )
  return changes === 1
}

/** Notes the counter that a passkey has signed. False: it is not the one that was looked at, or is gone. */
export const moveCounter = async (
  tx: Tx,
  id: string,
  { from, to }: { readonly from: number; readonly to: number },
  now: number,
): Promise<boolean> => {
  const { changes } = await tx.run(
    'UPDATE second_factors SET counter = ?, last_used_at = ? WHERE factor_id = ? AND counter = ?',
    [to, now, id, from],
  )
  return changes === 1
}

/** A factor that somebody has begun to add. */
export interface FactorSetup {
  readonly factorId: string
  /** The secret of an authenticator app or the challenge for a passkey, readable with the master key alone. */
  readonly sealed: string
  readonly expiresAt: number
}

/** Takes the place of the one of this kind that was begun before. */
export const putSetup = async (tx: Tx, userId: string, kind: FactorKind, setup: FactorSetup): Promise<void> => {
  await tx.run(
    `INSERT INTO factor_setups (user_id, kind, factor_id, sealed, expires_at) VALUES (?, ?, ?, ?, ?)
     ON CONFLICT (user_id, kind) DO UPDATE SET factor_id = excluded.factor_id, sealed = excluded.sealed,
       expires_at = excluded.expires_at`,
    [userId, kind, setup.factorId, setup.sealed, setup.expiresAt],
  )
}

export const findSetup = (reader: Reader, userId: string, kind: FactorKind): Promise<FactorSetup | undefined> =>
  reader.get<FactorSetup>(
    'SELECT factor_id AS "factorId", sealed, expires_at AS "expiresAt" FROM factor_setups WHERE user_id = ? AND kind = ?',
    [userId, kind],
  )

/** Ends a set-up; false when it was finished or begun again in the meantime. */
export const endSetup = async (tx: Tx, userId: string, { factorId }: FactorSetup): Promise<boolean> => {
  const { changes } = await tx.run('DELETE FROM factor_setups WHERE user_id = ? AND factor_id = ?', [userId, factorId])
  return changes === 1
}

export const endSetupsOf = async (tx: Tx, userId: string): Promise<void> => {
  await tx.run('DELETE FROM factor_setups WHERE user_id = ?', [userId])
}

/** Housekeeping over all people: at most `limit` that were never finished. */
export const deleteOldSetups = async (tx: Tx, now: number, limit: number): Promise<number> => {
  const { changes } = await tx.run(
    'DELETE FROM factor_setups WHERE factor_id IN (SELECT factor_id FROM factor_setups WHERE expires_at <= ? LIMIT ?)',
    [now, limit],
  )
  return changes
}
