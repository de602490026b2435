import type { Migration } from '../platform/db/migrate.ts'
import { clustered, dropTables } from './tables.ts'

/** Integrity events in the order of receipt, their counts, and what the server reads out of the lane kinds. */
export const integrityEvents: Migration = {
  name: '0030-integrity-events',
  async up(h) {
    await clustered(
      h,
      `CREATE TABLE integrity_events (
      org_id text NOT NULL, session_id text NOT NULL, position bigint NOT NULL, event_id text NOT NULL,
      client_id text NOT NULL, kind text NOT NULL, observed_at bigint NOT NULL, monotonic_ms double precision,
      source text NOT NULL, data text NOT NULL, received_at bigint NOT NULL,
      PRIMARY KEY (org_id, session_id, position))`,
    )
    // Clients make time-ordered ids, so with the session last all sessions append to the same end of this index.
    await h.sql('CREATE UNIQUE INDEX integrity_events_client ON integrity_events (org_id, client_id, session_id)')
    await clustered(
      h,
      `CREATE TABLE integrity_event_counts (
      org_id text NOT NULL, session_id text NOT NULL, kind text NOT NULL, n bigint NOT NULL,
      PRIMARY KEY (org_id, session_id, kind))`,
    )
    await clustered(
      h,
      `CREATE TABLE lane_health (
      org_id text NOT NULL, session_id text NOT NULL, lane text NOT NULL, display_id text NOT NULL,
      health text NOT NULL, reason text, since bigint NOT NULL, PRIMARY KEY (org_id, session_id, lane, display_id))`,
    )
    await clustered(
      h,
      `CREATE TABLE lane_windows (
      org_id text NOT NULL, session_id text NOT NULL, lane text NOT NULL, display_id text NOT NULL,
      from_at bigint NOT NULL, client_id text NOT NULL, to_at bigint NOT NULL,
      expected_seconds double precision NOT NULL, observed_seconds double precision NOT NULL,
      PRIMARY KEY (org_id, session_id, lane, display_id, from_at, client_id))`,
    )
    await clustered(
      h,
      `CREATE TABLE lane_gaps (
      org_id text NOT NULL, session_id text NOT NULL, lane text NOT NULL, display_id text NOT NULL,
      from_at bigint NOT NULL, client_id text NOT NULL, to_at bigint NOT NULL, reason text NOT NULL,
      PRIMARY KEY (org_id, session_id, lane, display_id, from_at, client_id))`,
    )
  },
  down: (h) => dropTables(h, 'lane_gaps', 'lane_windows', 'lane_health', 'integrity_event_counts', 'integrity_events'),
}
