import type { Migration } from '../platform/db/migrate.ts'

/** When the agent said what of each permission: events of a spool come late and out of order. */
export const permissionTimes: Migration = {
  name: '0160-permission-times',
  up: (h) =>
    h.schema((s) => s.alterTable('sessions', (t) => void t.text('permission_times').notNullable().defaultTo('{}'))),
  down: (h) => h.sql('ALTER TABLE sessions DROP COLUMN permission_times'),
}
