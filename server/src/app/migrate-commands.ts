import { migrations } from '../migrations/index.ts'
import type { Command } from './admin-command.ts'

export const migrateUsage = `  migrate
      Makes the database where there is none, brings it up to this version, and ends: for machinery that does this once before
      it starts processes of a new version. A server does it by itself at its start. Refused while processes serve that are
      older than the last release.`

/** Every command works on a database of this version, so all is done by the time that this one runs. */
export const migrate: Command = async ({ print }) => {
  print(`The database has every migration of this version, up to ${migrations.at(-1)?.name ?? 'none'}.`)
  return 0
}
