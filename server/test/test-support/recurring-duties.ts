import { mkdir, readdir, utimes, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { afterAll } from 'vitest'
import { bootstrapOrg } from '../../src/domains/organisation/orgs/bootstrap.service.ts'
import { inDouble, storageOf } from '../flows/storage/storage.test-support.ts'
import { billingDuties } from './billing-duties.ts'
import { all, count, type Duty, many, numbers, rowsOf, run } from './recurring-duty.ts'
import { type S3Double, startS3Double } from './s3-double.ts'

export const hour = 3_600_000
/** An object that was made in 1970 and that no row names. */
const orphan = (orgId: string): string => `${orgId}/obj_${'0'.repeat(26)}`
const onePiece = async function* () {
  yield Buffer.from('x')
}

let double: S3Double | undefined
afterAll(() => double?.stop())

const firstOrg = '(SELECT min(org_id) FROM orgs)'
const orgWithSession = '(SELECT min(org_id) FROM sessions)'
const person = '(SELECT min(user_id) FROM users)'

/** What is done again and again, and how a test sees that all of it was. */
export const duties: Readonly<Record<string, Duty>> = {
  'idempotency.expire': rowsOf(
    'idempotency_keys',
    {
      org_id: "'org_1'",
      credential: "'key_1'",
      endpoint: "'sessions.create'",
      key: "'old-' || i",
      body_hash: "'hash'",
      status: '201',
      answer: "''",
      created_at: '1',
      expires_at: '2',
    },
    "key LIKE 'old-%'",
  ),
  'recent_requests.purge': rowsOf(
    'recent_requests',
    {
      org_id: firstOrg,
      credential_id: "'old-' || i",
      at: '1',
      request_id: "'req_1'",
      method: "'GET'",
      path: "'/v1/api/me'",
      status: '200',
      duration_ms: '1',
    },
    "credential_id LIKE 'old-%'",
  ),
  'jobs.purge': rowsOf(
    'jobs',
    {
      org_id: "'org_1'",
      id: "'job_old' || i",
      environment: "'live'",
      kind: "'webhooks.purge'",
      payload: "'null'",
      run_at: '1',
      attempts: '1',
      max_attempts: '5',
      state: "'done'",
      created_at: '1',
      finished_at: '2',
    },
    "id LIKE 'job_old%'",
  ),
  'auth.purge': all(
    rowsOf(
      'portal_sessions',
      { portal_session_id: "'old-' || i", user_id: person, created_at: '1' },
      "portal_session_id LIKE 'old-%'",
    ),
    rowsOf(
      'portal_tokens',
      {
        token_hash: "'old-' || i",
        portal_session_id: "'old-' || i",
        kind: "'refresh'",
        created_at: '1',
        expires_at: '2',
      },
      "token_hash LIKE 'old-%'",
    ),
    rowsOf(
      'login_attempts',
      { account_hash: "'old-' || i", window_started_at: '1', attempts: '1' },
      "account_hash LIKE 'old-%'",
    ),
    rowsOf(
      'password_links',
      {
        link_id: "'old-' || i",
        user_id: person,
        token_hash: "'old-' || i",
        purpose: "'reset'",
        locale: "'en'",
        created_at: '1',
        expires_at: '2',
      },
      "link_id LIKE 'old-%'",
    ),
    rowsOf(
      'factor_setups',
      {
        user_id: person,
        kind: "'old-' || i",
        factor_id: "'old-' || i",
        sealed: "'x'",
        expires_at: '2',
      },
      "factor_id LIKE 'old-%'",
    ),
    rowsOf(
      'second_steps',
      {
        token_hash: "'old-' || i",
        user_id: person,
        place: "'x'",
        passkey_challenge: "'x'",
        tries: '0',
        expires_at: '2',
      },
      "token_hash LIKE 'old-%'",
    ),
  ),
  'access_requests.purge': rowsOf(
    'access_attempts',
    { name_hash: "'old-' || i", ends_at: '2', attempts: '1' },
    "name_hash LIKE 'old-%'",
  ),
  'invites.expire': rowsOf(
    'invites',
    {
      org_id: '(SELECT min(org_id) FROM orgs)',
      invite_id: "'old-' || i",
      email: "'old-' || i",
      role: "'reviewer'",
      locale: "'en'",
      invited_by: person,
      state: "'open'",
      created_at: '1',
      expires_at: '2',
    },
    "invite_id LIKE 'old-%' AND state = 'open'",
  ),
  'uploads.forget': all(
    /** Uploads are of a session. */
    {
      plant: async (server) => void (await server.client(server.orgs[0].liveKey).call('sessions.create', { body: {} })),
      left: () => Promise.resolve(0),
    },
    rowsOf(
      'uploads',
      {
        org_id: orgWithSession,
        upload_id: "'old-' || i",
        environment: "'live'",
        client_id: "'c'",
        sha256: "'s'",
        session_id: `(SELECT min(session_id) FROM sessions WHERE org_id = ${orgWithSession})`,
        metadata: "'{}'",
        evidence_type: "'screenshot'",
        size_bytes: '1',
        content_type: "'image/png'",
        captured_at: '1',
        part_size: '1',
        part_count: '1',
        store_key: "'k'",
        created_at: '1',
        expires_at: '2',
        state: "CASE WHEN i % 2 = 0 THEN 'completed' ELSE 'aborted' END",
      },
      "upload_id LIKE 'old-%'",
    ),
    rowsOf(
      'upload_parts',
      {
        org_id: orgWithSession,
        upload_id: "'old-' || i",
        part_index: '0',
        sha256: "'s'",
        size_bytes: '1',
        created_at: '1',
      },
      "upload_id LIKE 'old-%'",
    ),
  ),
  'deliveries.expire': all(
    rowsOf(
      'webhook_deliveries',
      {
        org_id: firstOrg,
        delivery_id: "'old-' || i",
        environment: "'sandbox'",
        endpoint_id: "'whk_old'",
        position: 'i',
        event_id: "'evt_old'",
        event_seq: '-5000',
        event_type: "'webhook.test'",
        status: "'delivered'",
        attempt_count: '1',
        created_at: '1',
        finished_at: '2',
      },
      "delivery_id LIKE 'old-%'",
      `INSERT INTO webhook_endpoints (org_id, endpoint_id, environment, url, event_types, status, wrapped_secret, delivery_count,
         created_at, updated_at, deleted_at) SELECT ${firstOrg}, 'whk_old', 'sandbox', 'x', '[]', 'disabled', 'x', ${many}, 1, 1, 1`,
      `INSERT INTO webhook_delivery_counts SELECT ${firstOrg}, 'whk_old', 'delivered', 'webhook.test', ${many}`,
    ),
    rowsOf(
      'webhook_attempts',
      {
        org_id: firstOrg,
        delivery_id: "'old-' || i",
        attempt: '1',
        at: '1',
        duration_ms: '1',
        outcome: "'success'",
      },
      "delivery_id LIKE 'old-%'",
    ),
  ),
  /** Older than all that the organisation has published, so that they come first. */
  'events.expire': rowsOf(
    'events',
    {
      org_id: firstOrg,
      environment: "'sandbox'",
      seq: `i - ${many + 1}`,
      event_id: "'old-' || i",
      type: "'webhook.test'",
      session_id: "'old-' || i",
      created_at: '1',
      envelope: "'{}'",
    },
    "event_id LIKE 'old-%'",
    `INSERT INTO event_counts SELECT ${firstOrg}, 'sandbox', '', 'webhook.test', ${many}`,
    `INSERT INTO event_counts ${numbers} SELECT ${firstOrg}, 'sandbox', 'old-' || i, 'webhook.test', 1 FROM n`,
  ),
  'store.tidy': {
    plant: async ({ app }) => {
      const folder = join(app.config.dataDir, 'objects/incoming')
      await mkdir(folder, { recursive: true })
      await writeFile(join(folder, 'old-1'), 'x')
      await utimes(join(folder, 'old-1'), 1, 1)
    },
    left: async ({ app }) => (await readdir(join(app.config.dataDir, 'objects/incoming'))).length,
  },
  'store.sweep_unreferenced': {
    plant: ({ app, orgs }) => app.store.put(orphan(orgs[0].orgId), onePiece(), { size: 1 }),
    left: async ({ app, orgs }) => Number(await app.store.exists(orphan(orgs[0].orgId))),
  },
  'storage.forget_removals': rowsOf(
    'storage_removals',
    { org_id: "'org_1'", store_key: "'old-' || i", at: '2' },
    "store_key LIKE 'old-%'",
  ),
  'sso.tidy_sign_ins': all(
    rowsOf(
      'sso_requests',
      { org_id: '(SELECT min(org_id) FROM orgs)', state_hash: "'old-' || i", request_id: "'_1'", expires_at: '2' },
      "state_hash LIKE 'old-%'",
    ),
    rowsOf(
      'sso_assertions',
      { org_id: '(SELECT min(org_id) FROM orgs)', assertion_hash: "'old-' || i", expires_at: '2' },
      "assertion_hash LIKE 'old-%'",
    ),
    rowsOf(
      'sso_sign_ins',
      {
        org_id: '(SELECT min(org_id) FROM orgs)',
        portal_session_id: "'old-' || i",
        name_id: "'n'",
        ends_at: '2',
        forget_at: '2',
      },
      "portal_session_id LIKE 'old-%'",
    ),
  ),
  'ats.forget_keys': rowsOf(
    'ats_inbound_keys',
    { org_id: "'org_1'", config_id: "'ats_1'", message_key: "'old-' || i", received_at: '2' },
    "message_key LIKE 'old-%'",
  ),
  'chat.forget_states': rowsOf(
    'chat_states',
    { org_id: "'org_1'", state_hash: "'old-' || i", user_id: "'usr_1'", provider: "'slack'", expires_at: '2' },
    "state_hash LIKE 'old-%'",
  ),
  /** A threshold that the backlog has fallen below again. */
  'chat.backlog': {
    plant: (server) =>
      run(
        server,
        `INSERT INTO chat_integrations (org_id, integration_id, provider, workspace_id, workspace, status, events,
           review_threshold, show_candidate_label, above_threshold, connected_at)
         VALUES ('${server.orgs[0].orgId}', 'cht_1', 'teams', 'w', 'w', 'connected', '', 9999, 0, 1, 1)`,
      ),
    left: (server) => count(server, 'SELECT count(*) AS n FROM chat_integrations WHERE above_threshold = 1'),
  },
  'storage.tidy_places': {
    plant: async (server) => {
      double ??= await startS3Double()
      await storageOf(server).put(inDouble(double))
      double.uploads.set('old', new Map())
      double.begun.set('old', { name: `${server.orgs[0].orgId}/old`, at: '2020-01-01T00:00:00Z' })
    },
    left: () => Promise.resolve(double?.uploads.size ?? 0),
  },
  'billing.forget_events': rowsOf(
    'billing_events',
    { provider: "'stripe'", event_id: "'old-' || i", received_at: '1' },
    "event_id LIKE 'old-%'",
  ),
  ...billingDuties,
  /** A chain that nothing was ever signed of. */
  'audit.first_checkpoint': {
    plant: async ({ app }) =>
      void (await bootstrapOrg(app, { org: 'New', email: 'first@example.org', password: 'a new long password 1' })),
    left: (server) => count(server, 'SELECT count(*) AS n FROM org_heads WHERE audit_seq > 0 AND audit_signed = 0'),
  },
  /** Heads that nobody has signed yet. */
  'audit.checkpoint': {
    plant: async () => undefined,
    left: (server) =>
      count(
        server,
        `SELECT count(*) AS n FROM (SELECT org_id, max(seq) AS head FROM audit_log GROUP BY org_id) h
         WHERE NOT EXISTS (SELECT 1 FROM audit_checkpoints c WHERE c.org_id = h.org_id AND c.size = h.head)`,
      ),
  },
  /** Minutes that are over, and processes that were not heard of for long. */
  'shared.forget': all(
    rowsOf(
      'rate_windows',
      {
        window_at: '1',
        fingerprint: "'f' || i",
        used: '1',
        granted: '1',
        ceiling: '1',
        cost: '1',
        least: '1',
        ahead: '0',
      },
      'window_at = 1',
    ),
    rowsOf('shared_blobs', { fingerprint: "'f' || i", sealed: "'s'", until_at: '1' }, 'until_at = 1'),
    rowsOf(
      'open_connections',
      { holder: "'h'", connection_id: "'c' || i", process_id: "'prc_0'", opened_at: '1' },
      "holder = 'h'",
    ),
    rowsOf('server_processes', { process_id: "'prc_' || i", seen_at: '1' }, 'seen_at = 1'),
  ),
  /** A checkpoint that nobody asked a time stamp for. */
  'timestamps.due': {
    plant: (server) =>
      run(
        server,
        `INSERT INTO time_authorities (org_id, url) VALUES ('${server.orgs[0].orgId}', 'http://127.0.0.1:9/')`,
      ),
    left: (server) => count(server, 'SELECT count(*) AS n FROM time_authorities WHERE asked_size = 0'),
  },
  /** Checkpoints that somebody asked for and was never sent. */
  'witnesses.send': {
    plant: (server) =>
      run(server, `INSERT INTO audit_witnesses (org_id, mail, webhook) VALUES ('${server.orgs[0].orgId}', 0, 1)`),
    left: (server) =>
      count(server, 'SELECT count(*) AS n FROM audit_witnesses WHERE webhook = 1 AND published_rows = 0'),
  },
}
