import type { linkOrigin, requestKinds, requestStatuses } from '@integrity/protocol'
import type * as z from 'zod'
import type { Environment, Scope } from '../../../kernel/identity/scope.ts'
import type { Reader, Tx } from '../../../platform/db/types.ts'

export type RequestKind = (typeof requestKinds)[number]
export type RequestStatus = (typeof requestStatuses)[number]
export type LinkOrigin = z.output<typeof linkOrigin>

/** Times are epoch milliseconds. */
export interface RequestRow {
  readonly id: string
  readonly environment: Environment
  readonly sessionId: string
  readonly externalId: string | null
  readonly candidateLabel: string | null
  readonly kind: RequestKind
  readonly status: RequestStatus
  readonly origin: LinkOrigin
  /** The address that was invited last, else what the candidate wrote. */
  readonly replyTo: string | null
  readonly createdAt: number
  readonly acknowledgedAt: number | null
  /** Address of the member. */
  readonly acknowledgedBy: string | null
  readonly decidedAt: number | null
  readonly decidedBy: string | null
  readonly accessCopyUntil: number | null
  readonly lastDownloadAt: number | null
  /** What a statement is about, where it names a moment. */
  readonly momentId: string | null
  readonly momentAt: number | null
  /** JSON of the appointment of its interview. */
  readonly schedule: string | null
}

const member = (column: string): string => `(SELECT u.email FROM users u WHERE u.user_id = r.${column})`

const replyTo = `COALESCE((SELECT i.email FROM invitations i
  WHERE i.org_id = r.org_id AND i.session_id = r.session_id AND i.revoked_at IS NULL AND i.email <> ''
  ORDER BY i.created_at DESC, i.invitation_id DESC LIMIT 1), r.reply_to)`

export const columns = `r.request_id AS id, r.environment, r.session_id AS "sessionId", s.external_id AS "externalId",
  s.candidate_label AS "candidateLabel", r.kind, r.status, r.origin, ${replyTo} AS "replyTo", r.created_at AS "createdAt",
  r.acknowledged_at AS "acknowledgedAt", ${member('acknowledged_by')} AS "acknowledgedBy", r.decided_at AS "decidedAt",
  ${member('decided_by')} AS "decidedBy", r.access_copy_until AS "accessCopyUntil", r.last_download_at AS "lastDownloadAt",
  r.moment_id AS "momentId", r.moment_at AS "momentAt", s.schedule`
const rows = `FROM candidate_requests r JOIN sessions s ON s.org_id = r.org_id AND s.session_id = r.session_id
  WHERE r.org_id = ? AND r.environment = ?`

export const findRequest = (reader: Reader, scope: Scope, id: string): Promise<RequestRow | undefined> =>
  reader.get<RequestRow>(`SELECT ${columns} ${rows} AND r.request_id = ?`, [scope.orgId, scope.environment, id])

/** Where a request of this organisation is, in either environment. */
export const findPlaceOfRequest = (
  reader: Reader,
  orgId: string,
  id: string,
): Promise<{ environment: Environment; sessionId: string } | undefined> =>
  reader.get(
    'SELECT environment, session_id AS "sessionId" FROM candidate_requests WHERE org_id = ? AND request_id = ?',
    [orgId, id],
  )

/** The requests of a session, newest first. */
export const listRequestsOfSession = (reader: Reader, scope: Scope, sessionId: string): Promise<RequestRow[]> =>
  reader.all<RequestRow>(
    `SELECT ${columns} ${rows} AND r.session_id = ? ORDER BY r.created_at DESC, r.request_id DESC`,
    [scope.orgId, scope.environment, sessionId],
  )

export interface NewRequest extends Pick<RequestRow, 'id' | 'sessionId' | 'kind' | 'origin'> {
  /** What the candidate wrote, where nobody was invited by e-mail. */
  readonly replyTo: string | null
  readonly moment?: { readonly id: string; readonly at: number } | undefined
}

/** Call with the session locked. */
export const insertRequest = async (tx: Tx, scope: Scope, request: NewRequest, now: number): Promise<void> => {
  await tx.run(
    `INSERT INTO candidate_requests (org_id, environment, request_id, session_id, kind, status, origin, reply_to, created_at,
       moment_id, moment_at)
     VALUES (?, ?, ?, ?, ?, 'received', ?, ?, ?, ?, ?)`,
    [
      ...[scope.orgId, scope.environment, request.id, request.sessionId, request.kind, request.origin],
      ...[request.replyTo, now, request.moment?.id ?? null, request.moment?.at ?? null],
    ],
  )
  await addToCount(tx, scope, { status: 'received', kind: request.kind }, 1)
}

type Counted = Pick<RequestRow, 'status' | 'kind'>

const addToCount = async (tx: Tx, scope: Scope, { status, kind }: Counted, n: number): Promise<void> => {
  await tx.run(
    `INSERT INTO candidate_request_counts (org_id, environment, status, kind, n) VALUES (?, ?, ?, ?, ?)
     ON CONFLICT (org_id, environment, status, kind) DO UPDATE SET n = candidate_request_counts.n + excluded.n`,
    [scope.orgId, scope.environment, status, kind, n],
  )
}

const updatable = {
  status: 'status',
  acknowledgedAt: 'acknowledged_at',
  acknowledgedBy: 'acknowledged_by',
  decidedAt: 'decided_at',
  decidedBy: 'decided_by',
  accessCopyUntil: 'access_copy_until',
  lastDownloadAt: 'last_download_at',
} as const
/** `acknowledgedBy` and `decidedBy` are ids of members here. */
export type RequestChanges = { readonly [K in keyof typeof updatable]?: string | number | null }

/** `request` as it is before. Call with the session locked. */
export const updateRequest = async (
  tx: Tx,
  scope: Scope,
  { id, ...before }: Counted & Pick<RequestRow, 'id'>,
  changes: RequestChanges & { readonly status?: RequestStatus },
): Promise<void> => {
  const names = Object.keys(changes) as (keyof RequestChanges)[]
  const set = names.map((name) => `${updatable[name]} = ?`).join(', ')
  await tx.run(`UPDATE candidate_requests SET ${set} WHERE org_id = ? AND environment = ? AND request_id = ?`, [
    ...names.map((name) => changes[name] ?? null),
    scope.orgId,
    scope.environment,
    id,
  ])
  if (changes.status === undefined || changes.status === before.status) return
  await addToCount(tx, scope, before, -1)
  await addToCount(tx, scope, { ...before, status: changes.status }, 1)
}

/** Open requests take the invited address, which is about to go, as the one to answer to. */
export const keepOwedAddresses = async (tx: Tx, scope: Scope, sessionId: string): Promise<void> => {
  await tx.run(
    `UPDATE candidate_requests AS r SET reply_to = CASE WHEN r.decided_at IS NULL THEN ${replyTo} ELSE NULL END
     WHERE r.org_id = ? AND r.environment = ? AND r.session_id = ?`,
    [scope.orgId, scope.environment, sessionId],
  )
}

/** Once an erased session's request was answered for good, nobody is to be written to about it any more. */
export const forgetAddress = async (tx: Tx, scope: Scope, id: string): Promise<void> => {
  await tx.run(
    `UPDATE candidate_requests SET reply_to = NULL WHERE org_id = ? AND environment = ? AND request_id = ?
       AND decided_at IS NOT NULL AND session_id IN (
         SELECT session_id FROM sessions WHERE org_id = ? AND erased_at IS NOT NULL)`,
    [scope.orgId, scope.environment, id, scope.orgId],
  )
}
