import type { Migration } from '../platform/db/migrate.ts'
import { dropTables } from './tables.ts'

/** What candidates ask for after the interview, and what was written to each other about it. */
export const candidateRequests: Migration = {
  name: '0200-candidate-requests',
  async up(h) {
    await h.sql(`CREATE TABLE candidate_requests (
      org_id text NOT NULL, request_id text NOT NULL, environment text NOT NULL, session_id text NOT NULL,
      kind text NOT NULL, status text NOT NULL, origin text NOT NULL, reply_to text, created_at bigint NOT NULL,
      acknowledged_at bigint, acknowledged_by text, decided_at bigint, decided_by text,
      access_copy_until bigint, last_download_at bigint,
      PRIMARY KEY (org_id, request_id), FOREIGN KEY (org_id, session_id) REFERENCES sessions (org_id, session_id))`)
    await h.sql('CREATE INDEX candidate_requests_session ON candidate_requests (org_id, session_id, created_at)')
    await h.sql('CREATE INDEX candidate_requests_listed ON candidate_requests (org_id, environment, created_at)')
    // While one of a kind is open there is no second one.
    await h.sql(
      'CREATE UNIQUE INDEX candidate_requests_open ON candidate_requests (org_id, session_id, kind) WHERE decided_at IS NULL',
    )
    await h.sql(`CREATE TABLE candidate_request_messages (
      org_id text NOT NULL, request_id text NOT NULL, position integer NOT NULL, message_id text NOT NULL,
      sender text NOT NULL, text text NOT NULL, created_at bigint NOT NULL, PRIMARY KEY (org_id, request_id, position),
      FOREIGN KEY (org_id, request_id) REFERENCES candidate_requests (org_id, request_id))`)
    // Who asks for a link by e-mail names a session and no organisation.
    await h.sql('CREATE INDEX sessions_id ON sessions (session_id)')
  },
  down: async (h) => {
    await h.sql('DROP INDEX sessions_id')
    await dropTables(h, 'candidate_request_messages', 'candidate_requests')
  },
}
