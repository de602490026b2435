import { sentRequest } from '../../test-support/candidate-requests.ts'
import { interviewerAddress } from '../../test-support/interviewers.ts'
import { portalCookie } from '../../test-support/portal.ts'
import type { TestServer } from '../../test-support/server.ts'
import {
  allLanes,
  anEvent,
  aSegment,
  fullConfig,
  newPicture,
  registration,
  scheduleSession,
  stillFor,
} from '../../test-support/world.ts'
import { asMember } from '../candidate-requests/candidate-requests.test-support.ts'

export interface Alteration {
  readonly what: string
  /** Of what this session has; `?1` is the organisation, `?2` the session. */
  readonly sql: readonly string[]
  /** `fault kind` that both operator's programs name. */
  readonly named: readonly string[]
  /** The same of the two programs that check a bundle. */
  readonly inBundle: readonly string[]
}

const of = 'WHERE org_id = ?1 AND session_id = ?2'
const first = 'AND position = 1'
const requests = `request_id IN (SELECT request_id FROM candidate_requests ${of})`
const altered = (
  what: string,
  sql: string | readonly string[],
  named: string | readonly string[],
  inBundle: string | readonly string[] = named,
): Alteration => ({ what, sql: [sql].flat(), named: [named].flat(), inBundle: [inBundle].flat() })
const changed = (table: string, set: string, kind: string, more = '') =>
  altered(`${table}: ${set}`, `UPDATE ${table} SET ${set} ${of}${more}`, `record_changed ${kind}`)

/** Whatever somebody may do by SQL to what people read, each with the names that it is found by. */
export const alterations: readonly Alteration[] = [
  ...[`config = replace(config, 'true', 'false')`, `capabilities = '[]'`, `device = '{"name":"Another"}'`].map((set) =>
    changed('sessions', set, 'session'),
  ),
  ...[`candidate_label = 'Somebody else'`, `consent = 'null'`, 'ended_at = ended_at + 1', `external_id = 'x'`].map(
    (set) => changed('sessions', set, 'session'),
  ),
  altered(
    'the document of a consent',
    `UPDATE consents SET document = replace(document, 'screen', 'camera') ${of}`,
    'record_changed consent',
    ['consent_not_as_shown', 'record_changed consent'],
  ),
  changed('consents', `lanes = replace(lanes, 'true', 'false')`, 'consent'),
  altered('a consent that is gone', `DELETE FROM consents ${of}`, 'record_removed consent'),
  changed('session_windows', 'told_until = told_until + 1', 'window'),
  altered('a window that is gone', `DELETE FROM session_windows ${of}`, 'record_removed window'),
  ...[`signer_name = 'Somebody else'`, `statement = 'All is well.'`].map((set) =>
    altered(`report_revisions: ${set}`, `UPDATE report_revisions SET ${set} ${of}`, 'record_changed sign_off', [
      'record_changed sign_off',
      'sign_off_changed',
    ]),
  ),
  altered(
    'the document of a report',
    `UPDATE report_revisions SET document = replace(document, '"statement":null', '"statement":"Fine."') ${of}`,
    'record_changed sign_off',
    ['record_changed sign_off', 'report_not_as_signed', 'sign_off_changed'],
  ),
  altered('that a report is stale', `DELETE FROM report_staleness ${of}`, 'record_removed staleness'),
  changed('report_staleness', 'at = at - 1', 'staleness'),
  changed('notes', `text = 'The candidate cheated.'`, 'note', ` AND kind = 'note'`),
  changed('notes', `author_name = 'Somebody else'`, 'note', ` AND kind = 'note'`),
  changed('notes', `text = 'No.', meaning = 'unclear'`, 'annotation', ` AND kind = 'annotation'`),
  altered('a note that is gone', `DELETE FROM notes ${of} AND kind = 'note'`, 'record_removed note'),
  altered(
    'a note that nobody wrote',
    `INSERT INTO notes SELECT org_id, session_id, kind, 2, 'not_forged', environment, meaning, 'Forged.', author_id,
       author_name, author_role, created_at FROM notes ${of} AND kind = 'note'`,
    'record_added note',
  ),
  altered('what a note points at', `DELETE FROM note_anchors ${of}`, [
    'record_changed annotation',
    'record_changed note',
  ]),
  altered(
    'a hold that is gone',
    [`DELETE FROM legal_holds ${of}`, `UPDATE sessions SET legal_hold = 0 ${of}`],
    ['record_removed hold', 'record_removed hold_mark'],
  ),
  changed('legal_holds', `reason = 'None.'`, 'hold'),
  altered('gaps that are gone', `DELETE FROM lane_gaps ${of}`, 'lanes_changed gaps', 'gaps_changed records.jsonl'),
  altered(
    'a gap that moved',
    `UPDATE lane_gaps SET to_at = to_at - 1 ${of}`,
    'lanes_changed gaps',
    'gaps_changed records.jsonl',
  ),
  altered('coverage', `UPDATE lane_windows SET observed_seconds = expected_seconds ${of}`, 'lanes_changed gaps', []),
  altered(
    'what the candidate stated',
    `UPDATE candidate_request_messages SET text = 'I confess' WHERE org_id = ?1 AND ${requests} AND sender = 'candidate'`,
    'record_changed statement',
    ['record_changed statement', 'report_not_as_signed'],
  ),
  altered(
    'what the candidate was answered',
    `UPDATE candidate_request_messages SET text = 'No.' WHERE org_id = ?1 AND ${requests} AND sender = 'organisation'`,
    'record_changed message',
    [],
  ),
  altered('a request', `UPDATE candidate_requests SET status = 'declined' ${of}`, 'record_changed request', []),
  altered(
    'who was told',
    `UPDATE interviewers SET email = 'nobody@example.org' ${of}`,
    'record_changed interviewer',
    [],
  ),
  changed('reviews', `state = 'completed'`, 'review'),
  ...[`metadata = '{"displayId":"other"}'`, `client_id = 'another'`, `source = 'screen:other'`].map((set) =>
    changed('evidence', set, 'evidence_said', ` ${first}`),
  ),
  changed('evidence', 'created_at = created_at - 86400000', 'evidence', ` ${first}`),
  changed('evidence', 'played_at = captured_at', 'evidence', ` ${first}`),
  altered('evidence that is gone', `DELETE FROM evidence ${of} ${first}`, 'removed evidence', [
    'evidence_not_listed',
    'record_removed evidence',
    'record_removed evidence_said',
  ]),
  altered(
    'evidence that is said to be erased',
    `UPDATE evidence SET erased_at = created_at, mac = NULL ${of} ${first}`,
    'erasure_not_recorded evidence',
    'left_out_wrong',
  ),
  altered(
    'what the trail commits to',
    `DELETE FROM audit_payloads WHERE org_id = ?1 AND seq IN (SELECT seq FROM audit_log ${of} AND action = 'note.added')`,
    'commitments_removed row',
    'audit_payload_removed',
  ),
]

/** An ended session with something of everything that people read. */
export const readSession = async (server: TestServer): Promise<string> => {
  const { orgId, sandboxKey } = server.orgs[0]
  const { id, agent: token } = await scheduleSession(server.client(sandboxKey), {
    candidateLabel: 'Candidate 12',
    config: fullConfig,
  })
  const agent = server.client(token)
  const params = { id }
  const agreed = await registration(server, { id, agent: token }, allLanes)
  await server.client().call('portal.interviewers.add', {
    headers: await portalCookie(server, 'owner'),
    params: { orgId, id },
    body: { email: interviewerAddress(), name: 'Meera Nair' },
  })
  const capabilities = [{ observer: 'displays', status: 'observable' as const }]
  await agent.call('agent.sessions.register', { body: { ...agreed, capabilities } })
  const at = (seconds: number) => new Date(server.clock.now() + seconds * 1000).toISOString()
  const beganAt = at(0)
  server.clock.advance(60_000)
  for (const picture of [await newPicture(), await newPicture()])
    await agent.call('agent.screenshots.upload', {
      params,
      body: { ...stillFor(server, picture), data: picture.toString('base64') },
    })
  const span = { lane: 'screen', displayId: 'd1', fromAt: at(-30), toAt: at(-10) }
  const coverage = { ...span, fromAt: beganAt, toAt: at(-30), expectedSeconds: 30, observedSeconds: 12 }
  await agent.call('agent.events.ingest', {
    params,
    body: {
      events: [
        { ...anEvent(server, 'lane.gap'), data: { ...span, reason: 'paused' } },
        { ...anEvent(server, 'lane.coverage'), data: coverage },
      ],
    },
  })
  await agent.call('agent.transcript.upsert', { params, body: { segments: [aSegment(0)] } })
  await agent.call('agent.sessions.end', { params, body: {} })
  const request = await sentRequest(server, { orgId, environment: 'sandbox' }, id, 'context_statement')
  const headers = await portalCookie(server, 'owner')
  const byOwner = server.client()
  await byOwner.call('portal.candidateRequests.respond', {
    headers,
    params: { orgId, requestId: request.id },
    body: { text: 'Thank you.' },
  })
  await byOwner.call('portal.report.signOff', {
    headers,
    params,
    body: { expectedRevision: 0, acknowledgeUnread: true },
  })
  await byOwner.call('portal.notes.add', { headers, params, body: { text: 'Look here.', anchor: { atMs: 1000 } } })
  await byOwner.call('portal.coverage.annotate', {
    headers,
    params,
    body: { meaning: 'benign', text: 'A pause.', at: at(-20) },
  })
  await asMember(server, 'portal.retention.sessions.hold', {
    params: { orgId, sessionId: id },
    body: { on: true, reason: 'A dispute.' },
  })
  return id
}
