import { eventTypes } from '@integrity/protocol'
import type { MigratableDb } from '../src/platform/db/dialect.ts'

const pageRows = 250_000
const dayMs = 86_400_000

const numbers = (from: number, to: number): string =>
  `WITH RECURSIVE n(i) AS (SELECT CAST(${from} AS bigint) UNION ALL SELECT i + 1 FROM n WHERE i < ${to})`

/** Rows that are wanted, and until when: what is not planted by then is left out. */
export interface Wanted {
  readonly count: number
  /** By `performance.now()`. */
  readonly until: number
}

/** A page of rows in each transaction, from 1 on; answers how many there are then. */
const inPages = async (
  db: MigratableDb,
  { count, until }: Wanted,
  sqlOf: (page: string) => string,
): Promise<number> => {
  let done = 0
  while (done < count && performance.now() < until) {
    const to = Math.min(count, done + pageRows)
    const page = numbers(done + 1, to)
    await db.transact((tx) => tx.run(sqlOf(page)))
    done = to
  }
  return done
}

/** Ended interviews that are like the first one of the organisation. */
export const plantSessions = (db: MigratableDb, orgId: string, wanted: Wanted): Promise<number> =>
  inPages(
    db,
    wanted,
    (
      page,
    ) => `INSERT INTO sessions (org_id, session_id, environment, position, external_id, state, config, policy_version,
      consent, provisioned_kind, provisioned_id, permissions, capabilities, created_at, started_at)
    ${page} SELECT s.org_id, 'ses_plant' || i, s.environment, 1000000 + i, 'ext-' || i, 'ended', s.config, 1, s.consent,
      s.provisioned_kind, s.provisioned_id, s.permissions, s.capabilities, s.created_at + i, s.started_at
    FROM n CROSS JOIN (SELECT * FROM sessions WHERE org_id = '${orgId}' ORDER BY position LIMIT 1) s`,
  )

/** As many items in each session, under ids as long as real ones. */
export const plantEvidence = async (
  db: MigratableDb,
  orgId: string,
  wanted: Wanted,
  sessions: number,
): Promise<number> => {
  const done = await inPages(
    db,
    wanted,
    (
      page,
    ) => `INSERT INTO evidence (org_id, evidence_id, environment, session_id, evidence_type, position, type_position,
      client_id, object_id, size_bytes, sha256, content_type, captured_at, metadata, created_at, mac)
    ${page} SELECT e.org_id, 'evd_plantplantplant' || (1000000000 + i), e.environment, 'ses_plant' || (i % ${sessions} + 1),
      e.evidence_type, i / ${sessions} + 1, i / ${sessions} + 1, 'plant-0000-0000-0000-0000-' || (1000000000 + i), e.object_id,
      e.size_bytes, e.sha256, e.content_type, e.captured_at + i, e.metadata, e.created_at + i, e.mac
    FROM n CROSS JOIN (SELECT * FROM evidence WHERE org_id = '${orgId}' LIMIT 1) e`,
  )
  await db.transact((tx) =>
    tx.run(`INSERT INTO evidence_counts (org_id, session_id, evidence_type, objects, size_bytes, erased_objects)
      SELECT org_id, session_id, evidence_type, count(*), sum(size_bytes), 0 FROM evidence
      WHERE session_id LIKE 'ses_plant%' GROUP BY 1, 2, 3`),
  )
  return done
}

/** Rows of a chain that is none, beside the organisation's own. */
export const plantAudit = (db: MigratableDb, orgId: string, wanted: Wanted): Promise<number> =>
  inPages(
    db,
    wanted,
    (page) => `INSERT INTO audit_log (org_id, seq, at, actor_kind, actor_id, action, target, session_id, payload_hash,
      prev_hash, hash)
    ${page} SELECT l.org_id, l.seq + i, l.at + i, CASE i % 4 WHEN 1 THEN 'user' ELSE 'agent' END,
      'agt_plantplantplant' || (1000000000 + i % 5000), CASE i % 2 WHEN 0 THEN 'session.events_received' ELSE 'session.ended' END,
      'ses_plantplantplant' || (1000000000 + i % 10000), 'ses_plantplantplant' || (1000000000 + i % 10000), l.hash, l.prev_hash, l.hash
    FROM n CROSS JOIN (SELECT * FROM audit_log WHERE org_id = '${orgId}' ORDER BY seq DESC LIMIT 1) l`,
  )

/** Published events of the last 30 days, oldest first, that are like one of the other organisation. */
export const plantEvents = async (
  db: MigratableDb,
  { like, orgId }: { readonly like: string; readonly orgId: string },
  wanted: Wanted,
): Promise<number> => {
  const first = Date.now() - 30 * dayMs
  const step = Math.max(1, Math.floor((30 * dayMs) / wanted.count))
  const types = eventTypes.map((type, n) => `WHEN ${n} THEN '${type}'`).join(' ')
  const done = await inPages(
    db,
    wanted,
    (
      page,
    ) => `INSERT INTO events (org_id, environment, seq, event_id, type, session_id, created_at, envelope, request_id)
    ${page} SELECT '${orgId}', 'sandbox', i, 'evt_plantplantplant' || (1000000000 + i), CASE i % ${eventTypes.length} ${types} END,
      'ses_plantplantplant' || (1000000000 + i / 12), ${first} + i * ${step}, e.envelope, e.request_id
    FROM n CROSS JOIN (SELECT * FROM events WHERE org_id = '${like}' ORDER BY seq DESC LIMIT 1) e`,
  )
  await db.transact(async (tx) => {
    await tx.run(`UPDATE org_heads SET event_seq_sandbox = ${done} WHERE org_id = '${orgId}'`)
    await tx.run(`INSERT INTO event_counts (org_id, environment, session_id, type, n)
      SELECT org_id, environment, '', type, count(*) FROM events WHERE org_id = '${orgId}' GROUP BY 1, 2, 4`)
  })
  return done
}
