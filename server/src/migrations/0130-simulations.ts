import type { Migration } from '../platform/db/migrate.ts'
import { dropTables } from './tables.ts'

/** Scenarios that sandbox sessions play, with how far each has come. */
export const simulations: Migration = {
  name: '0130-simulations',
  async up(h) {
    await h.sql(`CREATE TABLE simulations (
      org_id text NOT NULL, simulation_id text NOT NULL, environment text NOT NULL, session_id text NOT NULL,
      scenario text NOT NULL, time_scale double precision NOT NULL, status text NOT NULL, steps text NOT NULL,
      next_step integer NOT NULL DEFAULT 0, started_at bigint NOT NULL, finished_at bigint, failure text,
      PRIMARY KEY (org_id, simulation_id),
      FOREIGN KEY (org_id, session_id) REFERENCES sessions (org_id, session_id))`)
    await h.sql('CREATE UNIQUE INDEX simulations_session ON simulations (org_id, session_id)')
  },
  down: (h) => dropTables(h, 'simulations'),
}
