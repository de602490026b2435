import type { AtsProvider } from '@integrity/protocol'
import type { Reader, Tx } from '../../../platform/db/types.ts'
import type { AtsMapping, AtsSettings, ConnectionRow } from './ats.types.ts'

/** Of the live environment: the organisation's id is the whole scope. */
interface Stored extends Omit<ConnectionRow, 'settings'> {
  readonly settings: string
}

const columns = `config_id AS id, provider, label, version, status, problem, settings, wrapped_credentials AS "wrappedCredentials",
  wrapped_secret AS "wrappedSecret", key_hash AS "keyHash", secret_set_at AS "secretSetAt", connected_at AS "connectedAt",
  disconnected_at AS "disconnectedAt"`

/** Settings that were kept before there was a mapping have none. */
const unmapped: AtsMapping = { policies: [], label: 'name' }

const rowOf = (row: Stored): ConnectionRow => ({
  ...row,
  settings: { mapping: unmapped, ...(JSON.parse(row.settings) as Omit<AtsSettings, 'mapping'>) },
})

/** An organisation has few. */
export const listConnections = async (reader: Reader, orgId: string): Promise<ConnectionRow[]> => {
  const sql = `SELECT ${columns} FROM ats_connections WHERE org_id = ? AND disconnected_at IS NULL
    ORDER BY connected_at, config_id`
  return (await reader.all<Stored>(sql, [orgId])).map(rowOf)
}

/** Also one that was disconnected. */
export const findConnection = async (reader: Reader, orgId: string, id: string): Promise<ConnectionRow | undefined> => {
  const sql = `SELECT ${columns} FROM ats_connections WHERE org_id = ? AND config_id = ?`
  const row = await reader.get<Stored>(sql, [orgId, id])
  return row && rowOf(row)
}

export const saveConnection = async (tx: Tx, orgId: string, row: ConnectionRow): Promise<void> => {
  await tx.run(
    `INSERT INTO ats_connections (org_id, config_id, provider, label, version, status, problem, settings,
       wrapped_credentials, wrapped_secret, key_hash, secret_set_at, connected_at, disconnected_at)
     VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)
     ON CONFLICT (org_id, config_id) DO UPDATE SET label = excluded.label, version = excluded.version, status = excluded.status,
       problem = excluded.problem, settings = excluded.settings, wrapped_credentials = excluded.wrapped_credentials,
       wrapped_secret = excluded.wrapped_secret, key_hash = excluded.key_hash, secret_set_at = excluded.secret_set_at,
       disconnected_at = excluded.disconnected_at`,
    [
      ...[orgId, row.id, row.provider, row.label, row.version, row.status, row.problem, JSON.stringify(row.settings)],
      ...[row.wrappedCredentials, row.wrappedSecret, row.keyHash, row.secretSetAt, row.connectedAt, row.disconnectedAt],
    ],
  )
}

/** Crosses tenants: a credential is found before it is known whose it is. */
export const findConnectionByKey = (reader: Reader, hash: string): Promise<{ id: string; orgId: string } | undefined> =>
  reader.get('SELECT config_id AS id, org_id AS "orgId" FROM ats_connections WHERE key_hash = ?', [hash])

/** The provider has refused credentials; those that have come since are left alone. */
export const markBroken = async (
  tx: Tx,
  orgId: string,
  { id, wrappedCredentials }: ConnectionRow,
  problem: string,
): Promise<void> => {
  const sql = `UPDATE ats_connections SET status = 'broken', problem = ?
    WHERE org_id = ? AND config_id = ? AND wrapped_credentials = ? AND status = 'connected'`
  await tx.run(sql, [problem, orgId, id, wrappedCredentials])
}

/** What a try came to; credentials that have come since, and a pause, are left alone. */
export const markTried = async (
  tx: Tx,
  orgId: string,
  { id, wrappedCredentials }: ConnectionRow,
  { status, problem }: Pick<ConnectionRow, 'problem'> & { readonly status: 'connected' | 'broken' | 'same' },
): Promise<void> => {
  const next = status === 'same' ? 'status' : "CASE status WHEN 'paused' THEN status ELSE ? END"
  const sql = `UPDATE ats_connections SET status = ${next}, problem = ?
    WHERE org_id = ? AND config_id = ? AND wrapped_credentials = ? AND disconnected_at IS NULL`
  await tx.run(sql, [...(status === 'same' ? [] : [status]), problem, orgId, id, wrappedCredentials])
}

/** Which providers an organisation has connected. */
export const providersIn = (rows: readonly ConnectionRow[]): ReadonlySet<AtsProvider> =>
  new Set(rows.map(({ provider }) => provider))
