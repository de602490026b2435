import type { Migration } from '../platform/db/migrate.ts'

/** How many codes a session was given lately is asked before each new one. */
export const joinTicketIndex: Migration = {
  name: '0170-join-ticket-index',
  up: (h) => h.sql('CREATE INDEX join_tickets_session ON join_tickets (org_id, session_id, role, created_at)'),
  down: (h) => h.sql('DROP INDEX join_tickets_session'),
}
