import type { Reader, Tx } from '../../../platform/db/types.ts'

export interface SigningKeyRow {
  /** PEM, readable with the master key alone. */
  readonly wrappedKey: string
  /** PEM. */
  readonly certificate: string
}

export const findSigningKey = (reader: Reader, orgId: string): Promise<SigningKeyRow | undefined> =>
  reader.get<SigningKeyRow>('SELECT wrapped_key AS "wrappedKey", certificate FROM sso_signing_keys WHERE org_id = ?', [
    orgId,
  ])

export const insertSigningKey = async (tx: Tx, orgId: string, row: SigningKeyRow): Promise<void> => {
  await tx.run('INSERT INTO sso_signing_keys (org_id, wrapped_key, certificate) VALUES (?, ?, ?)', [
    ...[orgId, row.wrappedKey, row.certificate],
  ])
}

export const deleteSigningKey = async (tx: Tx, orgId: string): Promise<void> => {
  await tx.run('DELETE FROM sso_signing_keys WHERE org_id = ?', [orgId])
}
