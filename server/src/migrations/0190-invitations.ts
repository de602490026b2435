import type { Migration } from '../platform/db/migrate.ts'
import { dropTables } from './tables.ts'

/**
 * What iCalendar needs to know of a session's appointment beyond its time (a row from the first change on), and who was
 * invited. `mail_kind` and `mail_job` are of the newest message, `sent_at` is when the mail server took that one.
 */
export const invitations: Migration = {
  name: '0190-invitations',
  async up(h) {
    await h.sql(`CREATE TABLE appointments (
      org_id text NOT NULL, session_id text NOT NULL, environment text NOT NULL, sequence integer NOT NULL,
      changed_at bigint NOT NULL, cancelled_at bigint, cancelled_schedule text,
      PRIMARY KEY (org_id, session_id), FOREIGN KEY (org_id, session_id) REFERENCES sessions (org_id, session_id))`)
    await h.sql(`CREATE TABLE invitations (
      org_id text NOT NULL, invitation_id text NOT NULL, environment text NOT NULL, session_id text NOT NULL,
      email text NOT NULL, name text, locale text NOT NULL, message text,
      invited_kind text NOT NULL, invited_id text NOT NULL, invited_label text,
      link_id text, mail_kind text, mail_job text, created_at bigint NOT NULL, sent_at bigint, opened_at bigint, ticket_at bigint,
      declined_at bigint, revoked_at bigint, expires_at bigint NOT NULL, contact_since bigint, contact_count integer NOT NULL,
      PRIMARY KEY (org_id, invitation_id), FOREIGN KEY (org_id, session_id) REFERENCES sessions (org_id, session_id))`)
    await h.sql('CREATE INDEX invitations_session ON invitations (org_id, session_id, created_at)')
  },
  down: (h) => dropTables(h, 'invitations', 'appointments'),
}
