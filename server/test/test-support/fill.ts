import {
  auditActions,
  builtInRoles,
  eventTypes,
  requestKinds,
  requestStatuses,
  reviewReadiness,
  reviewStates,
  sessionStates,
} from '@integrity/protocol'

import type { Tx } from '../../src/platform/db/types.ts'

/** One of these texts, by the number of the row. */
const oneOf = (values: readonly string[]): string =>
  `CASE i % ${values.length} ${values.map((value, n) => `WHEN ${n} THEN '${value}'`).join(' ')} END`

const numbers = (count: number): string =>
  `WITH RECURSIVE n(i) AS (SELECT CAST(1 AS bigint) WHERE ${count} > 0 UNION ALL SELECT i + 1 FROM n WHERE i < ${count})`

interface Filled {
  readonly scope: { readonly orgId: string; readonly environment: string }
  readonly sessionId: string
  readonly webhookId: string
}
export interface Sizes {
  readonly events: number
  readonly sessions: number
  readonly deliveries: number
  readonly requests: number
  readonly members: number
  readonly invites: number
  /** No more than there are sessions. */
  readonly reviews: number
  /** Rows of the audit chain of every organisation; they are no chain. */
  readonly audit: number
  /** Of each kind of thing that one session has. */
  readonly ofSession: number
}

export const recountSessions = [
  'CREATE TEMP TABLE widths AS SELECT DISTINCT width_ms FROM session_counts',
  'DELETE FROM session_counts',
  ...["''", 'state'].flatMap((state) =>
    ["''", 'provisioned_id'].map(
      (
        by,
      ) => `INSERT INTO session_counts SELECT org_id, environment, ${state}, ${by}, width_ms, created_at / width_ms, count(*)
        FROM sessions CROSS JOIN widths GROUP BY 1, 2, 3, 4, 5, 6`,
    ),
  ),
]

export const recountReviews = [
  'DELETE FROM review_counts',
  ...["'*'", 'assignee_id'].map(
    (of) => `INSERT INTO review_counts SELECT org_id, ${of}, environment, state, readiness, count(*) FROM reviews
      GROUP BY 1, 2, 3, 4, 5`,
  ),
]

/** Counts again what is kept, as it is when rows are written one by one. */
const recount = [
  'DELETE FROM event_counts',
  `INSERT INTO event_counts SELECT org_id, environment, '', type, count(*) FROM events GROUP BY 1, 2, 4`,
  `INSERT INTO event_counts SELECT org_id, environment, session_id, type, count(*) FROM events
   WHERE session_id IS NOT NULL GROUP BY 1, 2, 3, 4`,
  ...recountSessions,
  'DELETE FROM webhook_delivery_counts',
  `INSERT INTO webhook_delivery_counts SELECT org_id, endpoint_id, status, event_type, count(*) FROM webhook_deliveries
   GROUP BY 1, 2, 3, 4`,
  'DELETE FROM membership_counts',
  `INSERT INTO membership_counts SELECT org_id, role, active, COALESCE(custom_role_id, ''), count(*) FROM memberships
   GROUP BY 1, 2, 3, 4`,
  'DELETE FROM invite_counts',
  'INSERT INTO invite_counts SELECT org_id, state, count(*) FROM invites GROUP BY 1, 2',
  'DELETE FROM candidate_request_counts',
  `INSERT INTO candidate_request_counts SELECT org_id, environment, status, kind, count(*) FROM candidate_requests
   GROUP BY 1, 2, 3, 4`,
  ...recountReviews,
]

/** Fills an organisation with rows as the service would have written them, all in one go; one session has many of each. */
export const fillOrganisation = async (tx: Tx, filled: Filled, sizes: Sizes): Promise<void> => {
  const { orgId, environment } = filled.scope
  const id = filled.sessionId
  const of = `org_id = '${orgId}' AND environment = '${environment}'`
  const session = `(SELECT * FROM sessions WHERE org_id = '${orgId}' AND session_id = '${id}')`
  const [live, sandbox] = ['live', 'sandbox'].map((name) => (name === environment ? 1 : 0))
  const minute = 60_000
  const statements = [
    `INSERT INTO sessions (org_id, session_id, environment, position, external_id, state, config, policy_version, consent,
       provisioned_kind, provisioned_id, permissions, capabilities, created_at, started_at)
     ${numbers(sizes.sessions)} SELECT s.org_id, 'ses_fill' || i, s.environment, 1000000 + i, 'ext-' || i,
       ${oneOf(sessionStates)}, s.config, 1, 'null', s.provisioned_kind, s.provisioned_id, '{}', '[]',
       s.created_at + i * 7 * ${minute}, NULL FROM n CROSS JOIN ${session} s`,
    // Dense, as they are when they are taken one by one.
    `UPDATE sessions SET position = position - 1000000 + (SELECT max(position) FROM sessions WHERE ${of} AND position < 1000000)
     WHERE ${of} AND position > 1000000`,
    // Found by a word that all have, by one of their own, and by what that begins with.
    ...["'fill'", "'fill' || i", "'fill' || (i / 10)"].map(
      (word, n) => `INSERT INTO session_words (org_id, environment, word, created_at, position)
       ${numbers(sizes.sessions)} SELECT s.org_id, s.environment, ${word}, s.created_at, s.position
       FROM n JOIN sessions s ON s.session_id = 'ses_fill' || i ${n < 2 ? '' : 'WHERE i > 999'}`,
    ),
    // Two in three were told more days than the others.
    `INSERT INTO session_windows (org_id, session_id, environment, ended_at, told_days, told_until)
     SELECT org_id, session_id, environment, created_at, 30 * (CASE position % 3 WHEN 0 THEN 1 ELSE 2 END),
       created_at + 30 * (CASE position % 3 WHEN 0 THEN 1 ELSE 2 END) * CAST(86400000 AS bigint) FROM sessions WHERE session_id LIKE 'ses_fill%'`,
    `INSERT INTO session_counters (org_id, session_id) SELECT org_id, session_id FROM sessions WHERE session_id LIKE 'ses_fill%'`,
    `UPDATE org_heads SET sessions_live = sessions_live + ${sizes.sessions * live!},
       sessions_sandbox = sessions_sandbox + ${sizes.sessions * sandbox!} WHERE org_id = '${orgId}'`,
    `INSERT INTO events (org_id, environment, seq, event_id, type, session_id, created_at, envelope)
     ${numbers(sizes.events)} SELECT e.org_id, e.environment, e.seq + i, 'evt_fill' || i, ${oneOf(eventTypes)},
       CASE WHEN i % 10 < 5 THEN '${id}' ELSE 'ses_fill' || (i % ${sizes.sessions} + 1) END, e.created_at + i, e.envelope
     FROM n CROSS JOIN (SELECT * FROM events WHERE ${of} ORDER BY seq DESC LIMIT 1) e`,
    `UPDATE org_heads SET event_seq_live = event_seq_live + ${sizes.events * live!},
       event_seq_sandbox = event_seq_sandbox + ${sizes.events * sandbox!} WHERE org_id = '${orgId}'`,
    `INSERT INTO webhook_deliveries (org_id, delivery_id, environment, endpoint_id, position, event_id, event_seq, event_type,
       status, attempt_count, created_at, finished_at)
     ${numbers(sizes.deliveries)} SELECT e.org_id, 'dlv_fill' || i, e.environment, e.endpoint_id, e.delivery_count + i,
       'evt_fill' || i, i, ${oneOf(eventTypes)}, CASE WHEN i % 3 = 0 THEN 'dead_letter' ELSE 'delivered' END, 1, i, i
     FROM n CROSS JOIN (SELECT * FROM webhook_endpoints WHERE ${of} AND endpoint_id = '${filled.webhookId}') e`,
    `UPDATE webhook_endpoints SET delivery_count = delivery_count + ${sizes.deliveries}
     WHERE org_id = '${orgId}' AND endpoint_id = '${filled.webhookId}'`,
    `INSERT INTO candidate_requests (org_id, request_id, environment, session_id, kind, status, origin, created_at, decided_at)
     ${numbers(sizes.requests)} SELECT '${orgId}', 'req_fill' || i, '${environment}', 'ses_fill' || i, ${oneOf(requestKinds)},
       status, 'invitation', i, CASE WHEN status IN ('received', 'acknowledged') THEN NULL ELSE i END
     FROM (SELECT i, ${oneOf(requestStatuses)} AS status FROM n) AS numbered`,
    `INSERT INTO users (user_id, email, created_at)
     ${numbers(sizes.members)} SELECT 'usr_fill' || i, 'fill' || i || '@example.org', i FROM n`,
    `INSERT INTO memberships (org_id, membership_id, user_id, role, active, created_at)
     ${numbers(sizes.members)} SELECT '${orgId}', 'mem_fill' || i, 'usr_fill' || i, ${oneOf(builtInRoles)},
       CASE WHEN i % 5 = 0 THEN 0 ELSE 1 END, i FROM n`,
    `INSERT INTO member_words (org_id, word, membership_id)
     ${numbers(sizes.members)} SELECT '${orgId}', 'fill' || i, 'mem_fill' || i FROM n`,
    // A third of them wait for an answer, of which there may be a thousand.
    `INSERT INTO invites (org_id, invite_id, email, role, locale, invited_by, state, created_at, expires_at)
     ${numbers(sizes.invites)} SELECT '${orgId}', 'inv_fill' || i, 'fill' || i || '@example.org', 'reviewer', 'en', 'usr_fill1',
       CASE WHEN i % 3 = 0 THEN 'open' ELSE ${oneOf(['accepted', 'revoked', 'expired', 'expired'])} END, i, 4000000000000 FROM n`,
    `INSERT INTO reviews (org_id, review_id, environment, session_id, state, readiness, assignee_id, opened_at, ended_at, settles_at)
     ${numbers(sizes.reviews)} SELECT '${orgId}', 'rev_fill' || i, '${environment}', 'ses_fill' || i, ${oneOf(reviewStates)},
       ${oneOf([...reviewReadiness, 'ready'])}, CASE WHEN i % 3 = 0 THEN '' ELSE 'mem_fill' || (i % 2 + 1) END, i, i, i FROM n`,
    `UPDATE reviews SET
       created_at = (SELECT s.created_at FROM sessions s WHERE s.org_id = reviews.org_id AND s.session_id = reviews.session_id),
       position = (SELECT s.position FROM sessions s WHERE s.org_id = reviews.org_id AND s.session_id = reviews.session_id)
     WHERE session_id LIKE 'ses_fill%'`,
    `INSERT INTO notes (org_id, session_id, kind, position, note_id, environment, text, author_id, author_name, author_role, created_at)
     ${numbers(sizes.ofSession)} SELECT '${orgId}', '${id}', 'note', i + COALESCE((SELECT max(position) FROM notes
       WHERE org_id = '${orgId}' AND session_id = '${id}' AND kind = 'note'), 0), 'not_fill' || i, '${environment}', 'words',
       'usr_fill1', 'Fill', 'reviewer', i FROM n`,
    `INSERT INTO integrity_events (org_id, session_id, position, event_id, client_id, kind, observed_at, source, data, received_at, category_position)
     ${numbers(sizes.ofSession)} SELECT s.org_id, s.session_id, c.event_count + i, 'iev_fill' || i, 'fill-' || i,
       'idle.started', s.started_at + i * 1000, 'fill', '{}', s.started_at + i * 1000, c.observation_count + i
     FROM n CROSS JOIN ${session} s JOIN session_counters c ON c.org_id = s.org_id AND c.session_id = s.session_id`,
    `UPDATE session_counters SET event_count = event_count + ${sizes.ofSession}, observation_count = observation_count + ${sizes.ofSession}
     WHERE org_id = '${orgId}' AND session_id = '${id}'`,
    `INSERT INTO integrity_event_counts (org_id, session_id, kind, n) VALUES ('${orgId}', '${id}', 'idle.started', ${sizes.ofSession})
     ON CONFLICT (org_id, session_id, kind) DO UPDATE SET n = integrity_event_counts.n + excluded.n`,
    ...['screenshot', 'audio_chunk', 'system_audio_chunk', 'camera_frame', 'camera_clip'].flatMap((type) => [
      `INSERT INTO evidence (org_id, evidence_id, environment, session_id, evidence_type, position, type_position, client_id,
         object_id, size_bytes, sha256, content_type, captured_at, metadata, created_at)
       ${numbers(sizes.ofSession)} SELECT e.org_id, 'evd_${type}' || i, e.environment, e.session_id, '${type}',
         (SELECT sum(objects) FROM evidence_counts c WHERE c.org_id = e.org_id AND c.session_id = e.session_id) + i,
         COALESCE((SELECT objects FROM evidence_counts c WHERE c.org_id = e.org_id AND c.session_id = e.session_id
           AND c.evidence_type = '${type}'), 0) + i, 'fill-' || i, e.object_id, 1, e.sha256 || i, e.content_type,
         e.captured_at + i * 1500, '{}', e.created_at
       FROM n CROSS JOIN (SELECT * FROM evidence WHERE org_id = '${orgId}' AND session_id = '${id}' LIMIT 1) e`,
      `INSERT INTO evidence_counts (org_id, session_id, evidence_type, objects, size_bytes, erased_objects)
       VALUES ('${orgId}', '${id}', '${type}', ${sizes.ofSession}, ${sizes.ofSession}, 0)
       ON CONFLICT (org_id, session_id, evidence_type) DO UPDATE SET objects = evidence_counts.objects + excluded.objects,
         size_bytes = evidence_counts.size_bytes + excluded.size_bytes`,
      `UPDATE evidence_totals SET objects = objects + ${sizes.ofSession}, kept_objects = kept_objects + ${sizes.ofSession},
         size_bytes = size_bytes + ${sizes.ofSession} WHERE org_id = '${orgId}' AND session_id = '${id}'`,
    ]),
    `INSERT INTO transcript_segments (org_id, session_id, client_segment_id, segment_id, change_seq, sequence, speaker,
       start_ms, end_ms, text, final, updated_at)
     ${numbers(sizes.ofSession)} SELECT s.org_id, s.session_id, 'fill-' || i, 'seg_fill' || i, s.transcript_seq + i, i,
       'candidate', i * 1700, i * 1700 + 900, 'words', 1, 1 FROM n CROSS JOIN ${session} s`,
    `UPDATE sessions SET transcript_seq = transcript_seq + ${sizes.ofSession},
       segment_count = segment_count + ${sizes.ofSession} WHERE org_id = '${orgId}' AND session_id = '${id}'`,
    // The people are the members; every other row is a received batch.
    `INSERT INTO audit_log (org_id, seq, at, actor_kind, actor_id, action, target, session_id, payload_hash, prev_hash, hash)
     ${numbers(sizes.audit)} SELECT h.org_id, h.audit_seq + i, l.at + i * ${minute}, CASE i % 4 WHEN 1 THEN 'user' ELSE 'agent' END,
       CASE i % 4 WHEN 1 THEN (SELECT max(user_id) FROM memberships m WHERE m.org_id = h.org_id) ELSE 'agent-' || (i % 50) END,
       CASE i % 2 WHEN 0 THEN 'session.events_received' ELSE ${oneOf(Object.keys(auditActions))} END, 'target-' || i,
       CASE WHEN i % 3 = 0 THEN '${id}' WHEN i % 3 = 1 THEN 'ses_fill' || (i % 900) END, NULL, h.audit_hash, h.audit_hash
     FROM n CROSS JOIN org_heads h JOIN audit_log l ON l.org_id = h.org_id AND l.seq = h.audit_seq`,
    `UPDATE org_heads SET audit_seq = audit_seq + ${sizes.audit}`,
    ...recount,
  ]
  for (const sql of statements) await tx.run(sql)
}
