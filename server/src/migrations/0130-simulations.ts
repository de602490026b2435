import type { Knex } from 'knex'
import type { Migration } from '../platform/db/migrate.ts'
import { dropTables } from './tables.ts'

const simulationsTable = (t: Knex.CreateTableBuilder): void => {
  t.text('org_id').notNullable()
  t.text('simulation_id').notNullable()
  t.text('environment').notNullable()
  t.text('session_id').notNullable()
  t.text('scenario').notNullable()
  t.double('time_scale').notNullable()
  t.text('status').notNullable()
  t.text('steps').notNullable()
  t.integer('next_step').notNullable().defaultTo(0)
  t.bigInteger('started_at').notNullable()
  t.bigInteger('finished_at')
  t.text('failure')
  t.primary(['org_id', 'simulation_id'])
  t.foreign(['org_id', 'session_id'], 'simulations_org_id_session_id_fkey')
    .references(['org_id', 'session_id'])
    .inTable('sessions')
  t.unique(['org_id', 'session_id'], { indexName: 'simulations_session', useConstraint: false })
}

/** Scenarios that sandbox sessions play, with how far each has come. */
export const simulations: Migration = {
  name: '0130-simulations',
  async up(h) {
    await h.createTable('simulations', simulationsTable)
  },
  down: (h) => dropTables(h, 'simulations'),
}
