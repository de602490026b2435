import { eventTypes } from '@integrity/protocol'
import type { MigratableDb } from '../src/platform/db/dialect.ts'
import { recountReviews, recountSessions } from '../test/test-support/fill.ts'

/** SQLite keeps a whole transaction beside its file. */
const pageRows = 50_000
const dayMs = 86_400_000

const numbers = (from: number, to: number): string =>
  `WITH RECURSIVE n(i) AS (SELECT CAST(${from} AS bigint) UNION ALL SELECT i + 1 FROM n WHERE i < ${to})`

/** Rows that are wanted, and until when: what is not planted by then is left out. */
export interface Wanted {
  readonly count: number
  /** By `performance.now()`. */
  readonly until: number
}

const typeOf = `CASE i % ${eventTypes.length} ${eventTypes.map((type, n) => `WHEN ${n} THEN '${type}'`).join(' ')} END`

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

/** Each statement in a transaction of its own. */
const runAll = async (db: MigratableDb, statements: readonly string[]): Promise<void> => {
  for (const sql of statements) await db.transact((tx) => tx.run(sql))
}

/** Ended interviews that are like the first one of the organisation, each with its review. */
export const plantSessions = async (db: MigratableDb, orgId: string, wanted: Wanted): Promise<number> => {
  const last = await db.reader.get<{ n: number }>('SELECT max(position) AS n FROM sessions WHERE org_id = ?', [orgId])
  const done = await inPages(
    db,
    wanted,
    (
      page,
    ) => `INSERT INTO sessions (org_id, session_id, environment, position, external_id, state, config, policy_version,
      consent, provisioned_kind, provisioned_id, permissions, capabilities, created_at, started_at)
    ${page} SELECT s.org_id, 'ses_plant' || i, s.environment, ${last?.n ?? 0} + i, 'ext-' || i, 'ended', s.config, 1, s.consent,
      s.provisioned_kind, s.provisioned_id, s.permissions, s.capabilities, s.created_at + i, s.started_at
    FROM n CROSS JOIN (SELECT * FROM sessions WHERE org_id = '${orgId}' ORDER BY position LIMIT 1) s`,
  )
  await runAll(db, [
    `UPDATE org_heads SET sessions_sandbox = sessions_sandbox + ${done} WHERE org_id = '${orgId}'`,
    `INSERT INTO reviews (org_id, review_id, environment, session_id, state, readiness, assignee_id, opened_at, ended_at, settles_at)
     SELECT org_id, 'rev_' || session_id, environment, session_id, 'waiting', 'ready', '', created_at, created_at, created_at
     FROM sessions WHERE session_id LIKE 'ses_plant%'`,
    `INSERT INTO session_counters (org_id, session_id) SELECT org_id, session_id FROM sessions WHERE session_id LIKE 'ses_plant%'`,
  ])
  await db.transact(async (tx) => {
    for (const sql of [...recountSessions, ...recountReviews]) await tx.run(sql)
  })
  return done
}

/** One session has a tenth of the rows, the others as many each. `i` is the number of the row. */
const spread = (sessions: number) => ({
  session: `'ses_plant' || (CASE i % 10 WHEN 0 THEN 1 ELSE i % ${sessions - 1} + 2 END)`,
  place: `(CASE i % 10 WHEN 0 THEN i / 10 ELSE i / ${sessions - 1} + 1 END)`,
})

/** Under ids as long as real ones. */
export const plantEvidence = async (
  db: MigratableDb,
  orgId: string,
  wanted: Wanted,
  sessions: number,
): Promise<number> => {
  const { session, place } = spread(sessions)
  const done = await inPages(
    db,
    wanted,
    (
      page,
    ) => `INSERT INTO evidence (org_id, evidence_id, environment, session_id, evidence_type, position, type_position,
      client_id, object_id, size_bytes, sha256, content_type, captured_at, metadata, created_at, mac)
    ${page} SELECT e.org_id, 'evd_plantplantplant' || (1000000000 + i), e.environment, ${session},
      e.evidence_type, ${place}, ${place}, 'plant-0000-0000-0000-0000-' || (1000000000 + i), e.object_id,
      e.size_bytes, e.sha256, e.content_type, e.captured_at + i, e.metadata, e.created_at + i, e.mac
    FROM n CROSS JOIN (SELECT * FROM evidence WHERE org_id = '${orgId}' LIMIT 1) e`,
  )
  await runAll(db, [
    `INSERT INTO evidence_counts (org_id, session_id, evidence_type, objects, size_bytes, erased_objects)
      SELECT org_id, session_id, evidence_type, count(*), sum(size_bytes), 0 FROM evidence
      WHERE session_id LIKE 'ses_plant%' GROUP BY 1, 2, 3`,
  ])
  return done
}

/** What agents observed in the same interviews. */
export const plantObserved = async (
  db: MigratableDb,
  orgId: string,
  wanted: Wanted,
  sessions: number,
): Promise<number> => {
  const { session, place } = spread(sessions)
  const done = await inPages(
    db,
    wanted,
    (
      page,
    ) => `INSERT INTO integrity_events (org_id, session_id, position, event_id, client_id, kind, observed_at, source, data,
      received_at, category_position)
    ${page} SELECT o.org_id, ${session}, ${place}, 'iev_plantplantplant' || (1000000000 + i),
      'plant-0000-0000-0000-0000-' || (1000000000 + i), o.kind, o.observed_at + i, o.source, o.data, o.received_at + i, ${place}
    FROM n CROSS JOIN (SELECT * FROM integrity_events WHERE org_id = '${orgId}' AND kind = 'foreground.changed' LIMIT 1) o`,
  )
  await runAll(db, [
    `INSERT INTO integrity_event_counts (org_id, session_id, kind, n) SELECT org_id, session_id, kind, count(*)
      FROM integrity_events WHERE session_id LIKE 'ses_plant%' GROUP BY 1, 2, 3`,
    `UPDATE session_counters SET event_count = n, observation_count = n FROM integrity_event_counts c
      WHERE c.org_id = session_counters.org_id AND c.session_id = session_counters.session_id AND c.session_id LIKE 'ses_plant%'`,
  ])
  return done
}

/** Finished deliveries of the planted events, in one log. */
export const plantDeliveries = async (
  db: MigratableDb,
  { orgId, webhookId }: { readonly orgId: string; readonly webhookId: string },
  wanted: Wanted,
): Promise<number> => {
  const of = `org_id = '${orgId}' AND endpoint_id = '${webhookId}'`
  const done = await inPages(
    db,
    wanted,
    (
      page,
    ) => `INSERT INTO webhook_deliveries (org_id, delivery_id, environment, endpoint_id, position, event_id, event_seq,
      event_type, status, attempt_count, created_at, finished_at)
    ${page} SELECT '${orgId}', 'dlv_plantplantplant' || (1000000000 + i), 'sandbox', '${webhookId}', i,
      'evt_plantplantplant' || (1000000000 + i), i, ${typeOf}, CASE WHEN i % 3 = 0 THEN 'dead_letter' ELSE 'delivered' END, 1, i, i
    FROM n`,
  )
  await runAll(db, [
    `UPDATE webhook_endpoints SET delivery_count = ${done} WHERE ${of}`,
    `INSERT INTO webhook_delivery_counts (org_id, endpoint_id, status, event_type, n)
      SELECT org_id, endpoint_id, status, event_type, count(*) FROM webhook_deliveries WHERE ${of} GROUP BY 1, 2, 3, 4`,
  ])
  return done
}

/** Rows of a chain that is none, behind the organisation's own; its head goes on behind them. */
export const plantAudit = async (db: MigratableDb, orgId: string, wanted: Wanted): Promise<number> => {
  const done = await inPages(
    db,
    wanted,
    (page) => `INSERT INTO audit_log (org_id, seq, at, actor_kind, actor_id, action, target, session_id, payload_hash,
      prev_hash, hash)
    ${page} SELECT l.org_id, l.seq + i, l.at + i, CASE i % 4 WHEN 1 THEN 'user' ELSE 'agent' END,
      'agt_plantplantplant' || (1000000000 + i % 5000), CASE i % 2 WHEN 0 THEN 'session.events_received' ELSE 'session.ended' END,
      'ses_plantplantplant' || (1000000000 + i % 10000), 'ses_plantplantplant' || (1000000000 + i % 10000), l.hash, l.prev_hash, l.hash
    FROM n CROSS JOIN (SELECT l.* FROM audit_log l JOIN org_heads h ON h.org_id = l.org_id AND h.audit_seq = l.seq
      WHERE l.org_id = '${orgId}') l`,
  )
  await runAll(db, [`UPDATE org_heads SET audit_seq = audit_seq + ${done} WHERE org_id = '${orgId}'`])
  return done
}

/** Published events of the last 30 days, a thousand of each session, oldest first, that are like one of the other organisation. */
export const plantEvents = async (
  db: MigratableDb,
  { like, orgId }: { readonly like: string; readonly orgId: string },
  wanted: Wanted,
): Promise<number> => {
  const first = Date.now() - 30 * dayMs
  const step = Math.max(1, Math.floor((30 * dayMs) / wanted.count))
  const done = await inPages(
    db,
    wanted,
    (
      page,
    ) => `INSERT INTO events (org_id, environment, seq, event_id, type, session_id, created_at, envelope, request_id)
    ${page} SELECT '${orgId}', 'sandbox', i, 'evt_plantplantplant' || (1000000000 + i), ${typeOf},
      'ses_plantplantplant' || (1000000000 + i / 1000), ${first} + i * ${step}, e.envelope, e.request_id
    FROM n CROSS JOIN (SELECT * FROM events WHERE org_id = '${like}' ORDER BY seq DESC LIMIT 1) e`,
  )
  await runAll(db, [
    `UPDATE org_heads SET event_seq_sandbox = ${done} WHERE org_id = '${orgId}'`,
    ...["''", 'session_id'].map(
      (of) => `INSERT INTO event_counts (org_id, environment, session_id, type, n)
        SELECT org_id, environment, ${of}, type, count(*) FROM events WHERE org_id = '${orgId}' GROUP BY 1, 2, 3, 4`,
    ),
  ])
  return done
}
