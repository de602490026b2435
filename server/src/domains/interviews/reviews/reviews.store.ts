import { notFound } from '@integrity/protocol'
import type { Scope } from '../../../kernel/identity/scope.ts'
import type { Reader, Tx } from '../../../platform/db/types.ts'
import type { ReviewRow, ShownReview } from './reviews.types.ts'

const ownColumns = `v.review_id AS id, v.environment, v.session_id AS "sessionId", v.state, v.readiness,
  v.assignee_id AS "assigneeId", v.opened_at AS "openedAt", v.ended_at AS "endedAt", v.settles_at AS "settlesAt", v.taken_at AS "takenAt",
  v.completed_at AS "completedAt"`
export const shownColumns = `${ownColumns}, s.external_id AS "externalId", s.candidate_label AS "candidateLabel",
  v.moments, v.unopened_moments AS "unopenedMoments", COALESCE(m.name, u.name, u.email) AS "assigneeName"`
export const shownTables = `reviews v JOIN sessions s ON s.org_id = v.org_id AND s.session_id = v.session_id
  LEFT JOIN memberships m ON m.org_id = v.org_id AND m.membership_id = v.assignee_id
  LEFT JOIN users u ON u.user_id = m.user_id`

/** Crosses the environments of one organisation, for people, who manage both. */
export const findReview = (reader: Reader, orgId: string, id: string): Promise<ShownReview | undefined> =>
  reader.get<ShownReview>(`SELECT ${shownColumns} FROM ${shownTables} WHERE v.org_id = ? AND v.review_id = ?`, [
    orgId,
    id,
  ])

const findForUpdate = (tx: Tx, orgId: string, column: 'review_id' | 'session_id', id: string) =>
  tx.get<ReviewRow>(`SELECT ${ownColumns} FROM reviews v WHERE v.org_id = ? AND v.${column} = ?${tx.forUpdate}`, [
    orgId,
    id,
  ])

/** Call with the head of the organisation locked, as everybody does who changes a review. */
export const lockReview = async (tx: Tx, orgId: string, id: string): Promise<ReviewRow> => {
  const review = await findForUpdate(tx, orgId, 'review_id', id)
  if (!review) throw notFound('review')
  return review
}

/** Locks the review of a session, which may have none. */
export const lockReviewOf = (tx: Tx, scope: Scope, sessionId: string): Promise<ReviewRow | undefined> =>
  findForUpdate(tx, scope.orgId, 'session_id', sessionId)

export const findReviewOf = (reader: Reader, scope: Scope, sessionId: string): Promise<ReviewRow | undefined> =>
  reader.get<ReviewRow>(`SELECT ${ownColumns} FROM reviews v WHERE v.org_id = ? AND v.session_id = ?`, [
    scope.orgId,
    sessionId,
  ])

type Counted = Pick<ReviewRow, 'assigneeId' | 'environment' | 'state' | 'readiness'>

/** Counted for whoever has it, nobody included, and for all. */
export const ofAll = '*'

const addToCount = async (tx: Tx, orgId: string, counted: Counted, n: number): Promise<void> => {
  const { assigneeId, environment, state, readiness } = counted
  const of = (assignee: string) => [orgId, assignee, environment, state, readiness, n]
  await tx.run(
    `INSERT INTO review_counts (org_id, assignee_id, environment, state, readiness, n)
     VALUES (?, ?, ?, ?, ?, ?), (?, ?, ?, ?, ?, ?)
     ON CONFLICT (org_id, assignee_id, environment, state, readiness) DO UPDATE SET n = review_counts.n + excluded.n`,
    [...of(assigneeId), ...of(ofAll)],
  )
}

const ofSession = (column: 'created_at' | 'position'): string =>
  `(SELECT s.${column} FROM sessions s WHERE s.org_id = ? AND s.session_id = ?)`

/** It knows its session's place in lists: sessions in a state of review are read in that order. */
export const insertReview = async (tx: Tx, orgId: string, review: ReviewRow): Promise<void> => {
  const { id, environment, sessionId, state, readiness, assigneeId, openedAt, endedAt, settlesAt } = review
  await tx.run(
    `INSERT INTO reviews (org_id, review_id, environment, session_id, state, readiness, assignee_id, opened_at, ended_at,
       settles_at, created_at, position)
     VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ${ofSession('created_at')}, ${ofSession('position')})`,
    [
      ...[orgId, id, environment, sessionId, state, readiness, assigneeId, openedAt, endedAt, settlesAt],
      ...[orgId, sessionId, orgId, sessionId],
    ],
  )
  await addToCount(tx, orgId, review, 1)
}

/** How many moments rules found in a session, once its agent delivers no more, and where nobody has played one yet. */
export const saveMoments = async (
  tx: Tx,
  { orgId }: Scope,
  sessionId: string,
  { moments, unopened }: { readonly moments: number; readonly unopened: readonly number[] },
): Promise<void> => {
  await tx.run('UPDATE reviews SET moments = ?, unopened_moments = ? WHERE org_id = ? AND session_id = ?', [
    ...[moments, JSON.stringify(unopened), orgId, sessionId],
  ])
}

/** Places of moments that nobody has played; undefined where they were not counted, or were erased. */
export const findUnopened = async (
  reader: Reader,
  { orgId }: Scope,
  sessionId: string,
  lock = '',
): Promise<readonly number[] | undefined> => {
  const row = await reader.get<{ unopened: string | null }>(
    `SELECT unopened_moments AS unopened FROM reviews WHERE org_id = ? AND session_id = ?${lock}`,
    [orgId, sessionId],
  )
  return row?.unopened ? (JSON.parse(row.unopened) as number[]) : undefined
}

export const saveUnopened = async (
  tx: Tx,
  { orgId }: Scope,
  sessionId: string,
  unopened: readonly number[],
): Promise<void> => {
  await tx.run('UPDATE reviews SET unopened_moments = ? WHERE org_id = ? AND session_id = ?', [
    ...[JSON.stringify(unopened), orgId, sessionId],
  ])
}

/** Call with the review locked since `before` was read. */
export const updateReview = async (
  tx: Tx,
  orgId: string,
  before: ReviewRow,
  change: Partial<ReviewRow>,
): Promise<ReviewRow> => {
  const after = { ...before, ...change }
  await tx.run(
    `UPDATE reviews SET state = ?, readiness = ?, assignee_id = ?, opened_at = ?, taken_at = ?, completed_at = ?,
       unopened_moments = CASE WHEN ? = 'erased' THEN NULL ELSE unopened_moments END
     WHERE org_id = ? AND review_id = ?`,
    [
      after.state,
      after.readiness,
      after.assigneeId,
      after.openedAt,
      after.takenAt,
      after.completedAt,
      after.readiness,
      orgId,
      before.id,
    ],
  )
  await addToCount(tx, orgId, before, -1)
  await addToCount(tx, orgId, after, 1)
  return after
}

const unfinishedOf = `org_id = ? AND assignee_id = ? AND environment IN ('live', 'sandbox')
  AND state IN ('open', 'in_review', 'waiting')`

/** Takes from a member what they have not completed. Call with the head of the organisation locked. */
export const releaseUnfinished = async (
  tx: Tx,
  orgId: string,
  assigneeId: string,
): Promise<{ id: string; sessionId: string }[]> => {
  const grouped = await tx.all<Omit<Counted, 'assigneeId'> & { n: number }>(
    `SELECT environment, state, readiness, count(*) AS n FROM reviews WHERE ${unfinishedOf}
     GROUP BY environment, state, readiness`,
    [orgId, assigneeId],
  )
  for (const { n, ...of } of grouped) {
    await addToCount(tx, orgId, { ...of, assigneeId }, -n)
    await addToCount(tx, orgId, { ...of, assigneeId: '' }, n)
  }
  return tx.all(
    `UPDATE reviews SET assignee_id = '' WHERE ${unfinishedOf} RETURNING review_id AS id, session_id AS "sessionId"`,
    [orgId, assigneeId],
  )
}
