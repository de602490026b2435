import type { Stretch } from '../../../kernel/paging.ts'
import type { Param, Reader, Tx } from '../../../platform/db/types.ts'
import type { LinkedSession, SyncRow } from './ats.types.ts'

/** Of the live environment: the organisation's id is the whole scope. */
const columns = `sync_id AS id, config_id AS "connectionId", direction, what, status, application_id AS "applicationId",
  session_id AS "sessionId", wrapped_news AS "wrappedNews", attempts, next_attempt_at AS "nextAttemptAt", problem,
  replay_of AS "replayOf", ref, created_at AS "createdAt", finished_at AS "finishedAt"`

const addToCount = async (
  tx: Tx,
  orgId: string,
  { connectionId, direction, status }: Pick<SyncRow, 'connectionId' | 'direction' | 'status'>,
  n: number,
): Promise<void> => {
  await tx.run(
    `INSERT INTO ats_sync_counts (org_id, config_id, direction, status, n) VALUES (?, ?, ?, ?, ?)
     ON CONFLICT (org_id, config_id, direction, status) DO UPDATE SET n = ats_sync_counts.n + excluded.n`,
    [orgId, connectionId, direction, status, n],
  )
}

export type NewSync = Omit<SyncRow, 'attempts' | 'problem' | 'finishedAt'>

export const insertSync = async (tx: Tx, orgId: string, row: NewSync): Promise<void> => {
  await tx.run(
    `INSERT INTO ats_syncs (org_id, sync_id, config_id, direction, what, status, application_id, session_id, wrapped_news,
       attempts, next_attempt_at, replay_of, ref, created_at) VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, 0, ?, ?, ?, ?)`,
    [
      ...[orgId, row.id, row.connectionId, row.direction, row.what, row.status, row.applicationId, row.sessionId],
      ...[row.wrappedNews, row.nextAttemptAt, row.replayOf, row.ref, row.createdAt],
    ],
  )
  await addToCount(tx, orgId, row, 1)
}

export const findSync = (reader: Reader, orgId: string, id: string): Promise<SyncRow | undefined> =>
  reader.get<SyncRow>(`SELECT ${columns} FROM ats_syncs WHERE org_id = ? AND sync_id = ?`, [orgId, id])

/** Locks a row of the sync log until the commit. */
export const lockSync = (tx: Tx, orgId: string, id: string): Promise<SyncRow | undefined> =>
  tx.get<SyncRow>(`SELECT ${columns} FROM ats_syncs WHERE org_id = ? AND sync_id = ? ${tx.forUpdate}`, [orgId, id])

/** Notes an attempt that is not the last. */
export const markRetry = async (
  tx: Tx,
  orgId: string,
  id: string,
  { problem, nextAttemptAt }: { readonly problem: string; readonly nextAttemptAt: number },
): Promise<void> => {
  await tx.run(
    `UPDATE ats_syncs SET attempts = attempts + 1, problem = ?, next_attempt_at = ?
     WHERE org_id = ? AND sync_id = ? AND status = 'pending'`,
    [problem, nextAttemptAt, orgId, id],
  )
}

export interface Outcome {
  readonly status: Exclude<SyncRow['status'], 'pending'>
  readonly problem: string | null
  readonly sessionId?: string
  readonly now: number
}

/** Ends one, with what had come in for it. */
export const markEnded = async (
  tx: Tx,
  orgId: string,
  row: Pick<SyncRow, 'id' | 'connectionId' | 'direction'>,
  { status, problem, sessionId, now }: Outcome,
): Promise<void> => {
  const { changes } = await tx.run(
    `UPDATE ats_syncs SET status = ?, problem = ?, session_id = COALESCE(?, session_id), attempts = attempts + 1,
       next_attempt_at = NULL, wrapped_news = NULL, finished_at = ?
     WHERE org_id = ? AND sync_id = ? AND status = 'pending'`,
    [status, problem, sessionId ?? null, now, orgId, row.id],
  )
  if (changes === 0) return
  await addToCount(tx, orgId, { ...row, status: 'pending' }, -1)
  await addToCount(tx, orgId, { ...row, status }, 1)
}

export interface ListedSyncs {
  readonly connectionId: string
  readonly direction?: SyncRow['direction'] | undefined
  readonly status?: SyncRow['status'] | undefined
}

const conditionsOf = ({ connectionId, direction, status }: ListedSyncs): [string, Param[]] => {
  const named = [
    ['config_id', connectionId],
    ['direction', direction],
    ['status', status],
  ].flatMap(([column, value]) => (value === undefined ? [] : [[column, value] as const]))
  return [named.map(([column]) => `AND ${column} = ?`).join(' '), named.map(([, value]) => value ?? null)]
}

/** Newest first. */
export const pageOfSyncs = (
  reader: Reader,
  orgId: string,
  filters: ListedSyncs,
  { after, skip, take }: Stretch,
): Promise<SyncRow[]> => {
  const [conditions, values] = conditionsOf(filters)
  return reader.all<SyncRow>(
    `SELECT ${columns} FROM ats_syncs WHERE org_id = ? ${conditions}
       ${after ? 'AND (created_at, sync_id) < (?, ?)' : ''}
     ORDER BY created_at DESC, sync_id DESC LIMIT ? OFFSET ?`,
    [orgId, ...values, ...(after ?? []), take, skip],
  )
}

/** Kept counts. */
export const countSyncs = async (reader: Reader, orgId: string, filters: ListedSyncs): Promise<number> => {
  const [conditions, values] = conditionsOf(filters)
  const sql = `SELECT sum(n) AS n FROM ats_sync_counts WHERE org_id = ? ${conditions}`
  return (await reader.get<{ n: number | null }>(sql, [orgId, ...values]))?.n ?? 0
}

/** @returns false where one of the names is known: the message has come before */
export const insertKeys = async (
  tx: Tx,
  orgId: string,
  connectionId: string,
  { keys, now }: { readonly keys: readonly string[]; readonly now: number },
): Promise<boolean> => {
  let isNew = true
  for (const key of keys) {
    const { changes } = await tx.run(
      `INSERT INTO ats_inbound_keys (org_id, config_id, message_key, received_at) VALUES (?, ?, ?, ?)
       ON CONFLICT DO NOTHING`,
      [orgId, connectionId, key, now],
    )
    if (changes === 0) isNew = false
  }
  return isNew
}

/** Across organisations. */
export const deleteOldKeysOfAllOrgs = async (tx: Tx, before: number, limit: number): Promise<number> => {
  const sql = `DELETE FROM ats_inbound_keys WHERE (org_id, config_id, message_key) IN
    (SELECT org_id, config_id, message_key FROM ats_inbound_keys WHERE received_at <= ? ORDER BY received_at LIMIT ?)`
  return (await tx.run(sql, [before, limit])).changes
}

const linkColumns = `session_id AS "sessionId", config_id AS "connectionId", application_id AS "applicationId",
  candidate_id AS "candidateId", test_id AS "testId", wrapped_url AS "wrappedUrl"`

type StoredLink = Omit<LinkedSession, 'test'> & { readonly testId: string | null; readonly wrappedUrl: string | null }

const linkOf = ({ testId, wrappedUrl, ...link }: StoredLink): LinkedSession =>
  testId === null || wrappedUrl === null ? link : { ...link, test: { id: testId, wrappedUrl } }

export const insertLink = async (tx: Tx, orgId: string, link: LinkedSession, now: number): Promise<void> => {
  await tx.run(
    `INSERT INTO ats_sessions (org_id, session_id, config_id, application_id, candidate_id, test_id, wrapped_url, linked_at)
     VALUES (?, ?, ?, ?, ?, ?, ?, ?)`,
    [
      ...[orgId, link.sessionId, link.connectionId, link.applicationId, link.candidateId],
      ...[link.test?.id ?? null, link.test?.wrappedUrl ?? null, now],
    ],
  )
}

export const findLink = async (
  reader: Reader,
  orgId: string,
  sessionId: string,
): Promise<LinkedSession | undefined> => {
  const sql = `SELECT ${linkColumns} FROM ats_sessions WHERE org_id = ? AND session_id = ?`
  const row = await reader.get<StoredLink>(sql, [orgId, sessionId])
  return row && linkOf(row)
}

/** Whom Greenhouse wants to be told from now on. */
export const changeUrl = async (tx: Tx, orgId: string, sessionId: string, wrappedUrl: string): Promise<void> => {
  const sql = 'UPDATE ats_sessions SET wrapped_url = ? WHERE org_id = ? AND session_id = ?'
  await tx.run(sql, [wrappedUrl, orgId, sessionId])
}

/** The candidate was merged with another one, whom the application is of now. */
export const followMerge = async (tx: Tx, orgId: string, link: LinkedSession): Promise<void> => {
  const sql = 'UPDATE ats_sessions SET candidate_id = ? WHERE org_id = ? AND config_id = ? AND application_id = ?'
  await tx.run(sql, [link.candidateId, orgId, link.connectionId, link.applicationId])
}

/** The newest session of an application; of a test, where one is named. */
export const findNewestLink = async (
  reader: Reader,
  orgId: string,
  {
    connectionId,
    applicationId,
    testId,
  }: Pick<LinkedSession, 'connectionId' | 'applicationId'> & { readonly testId?: string | undefined },
): Promise<LinkedSession | undefined> => {
  const row = await reader.get<StoredLink>(
    `SELECT ${linkColumns} FROM ats_sessions WHERE org_id = ? AND config_id = ? AND application_id = ?
       ${testId === undefined ? '' : 'AND test_id = ?'} ORDER BY linked_at DESC, session_id DESC LIMIT 1`,
    [orgId, connectionId, applicationId, ...(testId === undefined ? [] : [testId])],
  )
  return row && linkOf(row)
}

/** Forgets whom a session was of there. */
export const eraseLink = async (tx: Tx, orgId: string, sessionId: string): Promise<void> => {
  await tx.run('DELETE FROM ats_sessions WHERE org_id = ? AND session_id = ?', [orgId, sessionId])
  await tx.run('UPDATE ats_syncs SET application_id = NULL WHERE org_id = ? AND session_id = ?', [orgId, sessionId])
}
