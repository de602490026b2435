import type { Migration } from '../platform/db/migrate.ts'
import { dropTables } from './tables.ts'

/** Which streams and sockets processes keep open, so that they are counted together; see 0640. */
export const openConnections: Migration = {
  name: '0642-open-connections',
  async up(h) {
    const table = h.engine === 'postgres' ? 'CREATE UNLOGGED TABLE' : 'CREATE TABLE'
    await h.sql(`${table} open_connections (
      holder text NOT NULL,
      connection_id text NOT NULL,
      process_id text NOT NULL,
      opened_at bigint NOT NULL,
      PRIMARY KEY (holder, connection_id))`)
    await h.sql('CREATE INDEX open_connections_process ON open_connections (process_id)')
  },
  async down(h) {
    await dropTables(h, 'open_connections')
  },
}
