import type { AnnouncedEvent, ChatPlatform } from '@integrity/protocol'
import type { Reader, Tx } from '../../../platform/db/types.ts'
import type { IntegrationRow } from './chat.types.ts'

/** Of both environments: the organisation's id is the whole scope. */
interface Stored extends Omit<IntegrationRow, 'events' | 'showCandidateLabel' | 'aboveThreshold'> {
  readonly events: string
  readonly showCandidateLabel: 0 | 1
  readonly aboveThreshold: 0 | 1
}

const columns = `integration_id AS id, provider, workspace_id AS "workspaceId", workspace, wrapped_secret AS "wrappedSecret",
  version, status, problem, channel_id AS "channelId", channel_name AS "channelName", events,
  review_threshold AS "reviewThreshold", show_candidate_label AS "showCandidateLabel",
  above_threshold AS "aboveThreshold", connected_at AS "connectedAt", disconnected_at AS "disconnectedAt"`

const rowOf = (row: Stored): IntegrationRow => ({
  ...row,
  events: row.events.split(' ').filter((name) => name !== '') as AnnouncedEvent[],
  showCandidateLabel: row.showCandidateLabel === 1,
  aboveThreshold: row.aboveThreshold === 1,
})

/** An organisation has few. */
export const listIntegrations = async (reader: Reader, orgId: string): Promise<IntegrationRow[]> => {
  const sql = `SELECT ${columns} FROM chat_integrations WHERE org_id = ? AND disconnected_at IS NULL
    ORDER BY connected_at, integration_id`
  return (await reader.all<Stored>(sql, [orgId])).map(rowOf)
}

/** Also one that was disconnected. */
export const findIntegration = async (
  reader: Reader,
  orgId: string,
  id: string,
): Promise<IntegrationRow | undefined> => {
  const sql = `SELECT ${columns} FROM chat_integrations WHERE org_id = ? AND integration_id = ?`
  const row = await reader.get<Stored>(sql, [orgId, id])
  return row && rowOf(row)
}

export const saveIntegration = async (tx: Tx, orgId: string, row: IntegrationRow): Promise<void> => {
  await tx.run(
    `INSERT INTO chat_integrations (org_id, integration_id, provider, workspace_id, workspace, wrapped_secret, version,
       status, problem, channel_id, channel_name, events, review_threshold, show_candidate_label, above_threshold,
       connected_at, disconnected_at) VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)
     ON CONFLICT (org_id, integration_id) DO UPDATE SET workspace = excluded.workspace,
       wrapped_secret = excluded.wrapped_secret, version = excluded.version, status = excluded.status, problem = excluded.problem,
       channel_id = excluded.channel_id, channel_name = excluded.channel_name, events = excluded.events,
       review_threshold = excluded.review_threshold, show_candidate_label = excluded.show_candidate_label,
       above_threshold = excluded.above_threshold, disconnected_at = excluded.disconnected_at`,
    [
      ...[orgId, row.id, row.provider, row.workspaceId, row.workspace, row.wrappedSecret, row.version],
      ...[row.status, row.problem],
      ...[row.channelId, row.channelName, row.events.join(' '), row.reviewThreshold, row.showCandidateLabel ? 1 : 0],
      ...[row.aboveThreshold ? 1 : 0, row.connectedAt, row.disconnectedAt],
    ],
  )
}

/** The platform has ended the access. */
export const markBroken = async (tx: Tx, orgId: string, id: string, problem: string): Promise<void> => {
  const sql = `UPDATE chat_integrations SET status = 'broken', problem = ?
    WHERE org_id = ? AND integration_id = ? AND disconnected_at IS NULL`
  await tx.run(sql, [problem, orgId, id])
}

/** @returns false where somebody else has noted it already */
export const markThreshold = async (tx: Tx, orgId: string, id: string, above: boolean): Promise<boolean> => {
  const sql = `UPDATE chat_integrations SET above_threshold = ?
    WHERE org_id = ? AND integration_id = ? AND above_threshold = ?`
  return (await tx.run(sql, [above ? 1 : 0, orgId, id, above ? 0 : 1])).changes > 0
}

/** Across organisations: those with a threshold, a page behind one of them. */
export const listWithThresholdOfAllOrgs = async (
  reader: Reader,
  after: readonly [string, string],
  limit: number,
): Promise<(IntegrationRow & { readonly orgId: string })[]> => {
  const rows = await reader.all<Stored & { orgId: string }>(
    `SELECT org_id AS "orgId", ${columns} FROM chat_integrations
     WHERE (org_id, integration_id) > (?, ?) AND review_threshold IS NOT NULL AND status = 'connected'
       AND disconnected_at IS NULL ORDER BY org_id, integration_id LIMIT ?`,
    [...after, limit],
  )
  return rows.map((row) => ({ ...rowOf(row), orgId: row.orgId }))
}

export interface StateRow {
  readonly orgId: string
  readonly userId: string
  readonly provider: ChatPlatform
  readonly expiresAt: number
}

export const insertState = async (tx: Tx, hash: string, row: StateRow): Promise<void> => {
  const sql = 'INSERT INTO chat_states (org_id, state_hash, user_id, provider, expires_at) VALUES (?, ?, ?, ?, ?)'
  await tx.run(sql, [row.orgId, hash, row.userId, row.provider, row.expiresAt])
}

/** Across organisations: takes a state, which is good once. */
export const takeStateAcrossOrgs = (tx: Tx, hash: string): Promise<StateRow | undefined> =>
  tx.get<StateRow>(
    `DELETE FROM chat_states WHERE state_hash = ?
     RETURNING org_id AS "orgId", user_id AS "userId", provider, expires_at AS "expiresAt"`,
    [hash],
  )

/** Across organisations. */
export const deleteOldStatesOfAllOrgs = async (tx: Tx, now: number, limit: number): Promise<number> => {
  const sql = `DELETE FROM chat_states WHERE state_hash IN
    (SELECT state_hash FROM chat_states WHERE expires_at <= ? ORDER BY expires_at LIMIT ?)`
  return (await tx.run(sql, [now, limit])).changes
}
