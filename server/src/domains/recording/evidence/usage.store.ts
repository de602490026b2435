import type { EvidenceType } from '@integrity/protocol'
import type { Environment, Scope } from '../../../kernel/identity/scope.ts'
import type { ColumnSpec, Reader, Tx } from '../../../platform/db/types.ts'

export interface Amount {
  readonly evidenceType: EvidenceType
  readonly objects: number
  readonly sizeBytes: number
}

const dayMs = 86_400_000
/** In place of a day: all of them. */
const ever = -1

const columns: readonly ColumnSpec[] = [
  { name: 'org_id', type: 'text' },
  { name: 'day', type: 'bigint' },
  { name: 'evidence_type', type: 'text' },
  { name: 'added_objects', type: 'bigint' },
  { name: 'added_bytes', type: 'bigint' },
  { name: 'erased_objects', type: 'bigint' },
  { name: 'erased_bytes', type: 'bigint' },
]
const sums = columns.slice(3).map(({ name }) => `${name} = evidence_usage.${name} + excluded.${name}`)
const adding = { upsert: { on: ['org_id', 'day', 'evidence_type'], set: sums.join(', ') } } as const

/**
 * Counts what an organisation's evidence became more or less by, of both environments. `at` is epoch milliseconds. Call behind
 * the audit row of the change: these rows are the organisation's, and locked in that order.
 */
export const addUsage = async (
  tx: Tx,
  orgId: string,
  at: number,
  { added = [], erased = [] }: { readonly added?: readonly Amount[]; readonly erased?: readonly Amount[] },
): Promise<void> => {
  const rows = [ever, Math.floor(at / dayMs)].flatMap((day) => [
    ...added.map((one) => [orgId, day, one.evidenceType, one.objects, one.sizeBytes, 0, 0]),
    ...erased.map((one) => [orgId, day, one.evidenceType, 0, 0, one.objects, one.sizeBytes]),
  ])
  if (rows.length > 0) await tx.insertMany('evidence_usage', columns, rows, adding)
}

/** What an organisation keeps, by type. */
export const listUsage = (reader: Reader, orgId: string): Promise<Amount[]> =>
  reader.all<Amount>(
    `SELECT evidence_type AS "evidenceType", added_objects - erased_objects AS objects,
       added_bytes - erased_bytes AS "sizeBytes"
     FROM evidence_usage WHERE org_id = ? AND day = ${ever} ORDER BY evidence_type`,
    [orgId],
  )

export interface DayRow {
  /** From 1970, in UTC. */
  readonly day: number
  readonly addedBytes: number
  readonly erasedBytes: number
}

/** The days of a stretch, `until` left out, on which anything changed. */
export const listUsageOfDays = (reader: Reader, orgId: string, from: number, until: number): Promise<DayRow[]> =>
  reader.all<DayRow>(
    `SELECT day, SUM(added_bytes) AS "addedBytes", SUM(erased_bytes) AS "erasedBytes"
     FROM evidence_usage WHERE org_id = ? AND day >= ? AND day < ? GROUP BY day ORDER BY day`,
    [orgId, from, until],
  )

export interface HeavySession {
  readonly sessionId: string
  readonly environment: Environment
  readonly externalId: string | null
  readonly sizeBytes: number
}

export const listHeaviest = (reader: Reader, orgId: string, limit: number): Promise<HeavySession[]> =>
  reader.all<HeavySession>(
    `SELECT s.session_id AS "sessionId", s.environment, s.external_id AS "externalId", t.size_bytes AS "sizeBytes"
     FROM evidence_totals t JOIN sessions s ON s.org_id = t.org_id AND s.session_id = t.session_id
     WHERE t.org_id = ? AND t.size_bytes > 0 ORDER BY t.size_bytes DESC, t.session_id DESC LIMIT ?`,
    [orgId, limit],
  )

/** Bytes that are kept of a session. */
export const bytesOfSession = async (reader: Reader, scope: Pick<Scope, 'orgId'>, sessionId: string): Promise<number> =>
  (
    await reader.get<{ sizeBytes: number }>(
      'SELECT size_bytes AS "sizeBytes" FROM evidence_totals WHERE org_id = ? AND session_id = ?',
      [scope.orgId, sessionId],
    )
  )?.sizeBytes ?? 0

/** Interviews that keep evidence, of all organisations, and their bytes. */
export const sizesAcrossOrgs = (
  reader: Reader,
): Promise<{ readonly sessions: number; readonly sizeBytes: number } | undefined> =>
  reader.get(
    `SELECT count(*) AS sessions, CAST(COALESCE(sum(t.size_bytes), 0) AS bigint) AS "sizeBytes" FROM evidence_totals t
     JOIN sessions s ON s.org_id = t.org_id AND s.session_id = t.session_id
     WHERE t.size_bytes > 0 AND s.environment = 'live'`,
  )
