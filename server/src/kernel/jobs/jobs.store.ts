import type { Param, Reader, Tx } from '../../platform/db/types.ts'
import type { Environment, Scope } from '../identity/scope.ts'

/** A row of `jobs`. Times are epoch milliseconds; a job of no organisation (a recurring one) has `org_id` ''. */
export interface JobRow {
  readonly org_id: string
  readonly id: string
  readonly environment: Environment
  readonly kind: string
  /** JSON. */
  readonly payload: string
  /** Earliest start. */
  readonly run_at: number
  /** Until then the owner runs it; null when nobody does. */
  readonly lease_until: number | null
  /** Names one claim, not a process: a claim that lost its lease cannot finish the job of its successor. */
  readonly lease_owner: string | null
  /** Claims so far, those that died with their process included. */
  readonly attempts: number
  readonly max_attempts: number
  readonly state: 'queued' | 'done' | 'failed'
  readonly last_error: string | null
  readonly created_at: number
  readonly finished_at: number | null
  /** Cleared by the first claim: it keeps jobs apart that have not started, not one from the next. */
  readonly dedupe_key: string | null
  /** The request that asked for it, directly or by another job. */
  readonly request_id: string | null
  /** Where what asked for it stood in a trace (W3C Trace Context). */
  readonly traceparent: string | null
}

export type NewJob = Pick<
  JobRow,
  'id' | 'kind' | 'payload' | 'run_at' | 'max_attempts' | 'created_at' | 'dedupe_key' | 'request_id' | 'traceparent'
>

/** A claim as it is held: the row and the name under which it was taken. */
export interface Claim {
  readonly job: JobRow
  readonly owner: string
  /** When it was taken; it may have been extended since. */
  readonly leaseUntil: number
}

/** False when a job with the same dedupe key is waiting already (or the id exists). */
export const insertJob = async (tx: Tx, scope: Scope, job: NewJob): Promise<boolean> => {
  const { changes } = await tx.run(
    `INSERT INTO jobs (org_id, id, environment, kind, payload, run_at, attempts, max_attempts, state, created_at, dedupe_key,
       request_id, traceparent)
     VALUES (?, ?, ?, ?, ?, ?, 0, ?, 'queued', ?, ?, ?, ?) ON CONFLICT DO NOTHING`,
    [
      scope.orgId,
      job.id,
      scope.environment,
      job.kind,
      job.payload,
      job.run_at,
      job.max_attempts,
      job.created_at,
      job.dedupe_key,
      job.request_id,
      job.traceparent,
    ],
  )
  return changes === 1
}

const claimable = (kinds: readonly string[]) =>
  `state = 'queued' AND run_at <= ? AND (lease_until IS NULL OR lease_until <= ?) AND kind IN (${kinds.map(() => '?').join(', ')})`

/** When the next waiting job of these kinds is due, epoch milliseconds; null when none waits. */
export const nextRunAtAcrossOrgs = async (
  reader: Reader,
  kinds: readonly string[],
  after: number,
): Promise<number | null> => {
  const names = kinds.map(() => '?').join(', ')
  const row = await reader.get<{ at: number | null }>(
    `SELECT min(run_at) AS at FROM jobs WHERE state = 'queued' AND run_at > ? AND kind IN (${names})`,
    [after, ...kinds],
  )
  return row?.at ?? null
}

/** How many jobs are due that nobody runs, up to a bound. */
export const countWaitingAcrossOrgs = async (reader: Reader, now: number, most: number): Promise<number> => {
  const row = await reader.get<{ waiting: number }>(
    `SELECT count(*) AS waiting FROM (SELECT 1 AS one FROM jobs WHERE state = 'queued' AND run_at <= ?
       AND (lease_until IS NULL OR lease_until <= ?) LIMIT ?) AS due`,
    [now, now, most],
  )
  return row?.waiting ?? 0
}

/**
 * Takes up to `limit` due jobs of the given kinds, of every organisation, each under a claim name of its own.
 * A job whose lease ran out is due again.
 */
export const claimDueJobsAcrossOrgs = async (
  tx: Tx,
  args: { kinds: readonly string[]; now: number; leaseUntil: number; limit: number; nextOwner: () => string },
): Promise<Claim[]> => {
  if (args.kinds.length === 0) return []
  const rows = await tx.all<JobRow>(
    `SELECT * FROM jobs WHERE ${claimable(args.kinds)} ORDER BY run_at, id LIMIT ? ${tx.forUpdateSkipLocked}`,
    [args.now, args.now, ...args.kinds, args.limit],
  )
  const claims: Claim[] = []
  for (const job of rows) {
    const owner = args.nextOwner()
    await tx.run(
      `UPDATE jobs SET lease_until = ?, lease_owner = ?, attempts = attempts + 1, dedupe_key = NULL
       WHERE org_id = ? AND id = ?`,
      [args.leaseUntil, owner, job.org_id, job.id],
    )
    claims.push({ job: { ...job, attempts: job.attempts + 1 }, owner, leaseUntil: args.leaseUntil })
  }
  return claims
}

/** Every later write of a claim goes through here: true when the claim is still held. */
const updateHeld = async (tx: Tx, { job, owner }: Claim, set: string, params: readonly Param[]): Promise<boolean> => {
  const { changes } = await tx.run(
    `UPDATE jobs SET ${set} WHERE org_id = ? AND id = ? AND lease_owner = ? AND state = 'queued'`,
    [...params, job.org_id, job.id, owner],
  )
  return changes === 1
}

export const extendLease = (tx: Tx, claim: Claim, leaseUntil: number): Promise<boolean> =>
  updateHeld(tx, claim, 'lease_until = ?', [leaseUntil])

/** Ends the job for good. */
export const finishJob = (
  tx: Tx,
  claim: Claim,
  args: { state: 'done' | 'failed'; error: string | null; now: number },
): Promise<boolean> =>
  updateHeld(tx, claim, 'state = ?, last_error = ?, finished_at = ?, lease_until = NULL, lease_owner = NULL', [
    args.state,
    args.error,
    args.now,
  ])

/** Puts the job back, to run at `runAt` with that many attempts counted. */
export const requeueJob = (
  tx: Tx,
  claim: Claim,
  args: { runAt: number; attempts: number; error: string | null },
): Promise<boolean> =>
  updateHeld(tx, claim, 'run_at = ?, attempts = ?, last_error = ?, lease_until = NULL, lease_owner = NULL', [
    args.runAt,
    args.attempts,
    args.error,
  ])

/** Removes jobs that ended before `before`, at most `limit`; returns how many. A job ends when it was due or later, which the index knows. */
export const deleteFinishedJobsAcrossOrgs = async (tx: Tx, before: number, limit: number): Promise<number> => {
  const { changes } = await tx.run(
    `DELETE FROM jobs WHERE (org_id, id) IN (
       SELECT org_id, id FROM jobs WHERE state IN ('done', 'failed') AND run_at < ? AND finished_at < ? LIMIT ?)`,
    [before, before, limit],
  )
  return changes
}

/** Jobs that were given up since, by kind; those of all organisations. */
export const givenUpAcrossOrgs = (
  reader: Reader,
  since: number,
): Promise<{ readonly kind: string; readonly jobs: number }[]> =>
  reader.all(
    `SELECT kind, count(*) AS jobs FROM jobs WHERE state = 'failed' AND finished_at >= ? GROUP BY kind ORDER BY kind`,
    [since],
  )
