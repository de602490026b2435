import type { Migration } from '../platform/db/migrate.ts'

/** How many codes a session was given lately is asked before each new one. */
export const joinTicketIndex: Migration = {
  name: '0170-join-ticket-index',
  up: (h) =>
    h.schema((s) =>
      s.alterTable(
        'join_tickets',
        (t) => void t.index(['org_id', 'session_id', 'role', 'created_at'], 'join_tickets_session'),
      ),
    ),
  down: (h) => h.schema((s) => s.alterTable('join_tickets', (t) => void t.dropIndex([], 'join_tickets_session'))),
}
