import type { Scope } from '../../src/kernel/identity/scope.ts'
import type { MigratableDb } from '../../src/platform/db/dialect.ts'

/** The bare row of a session, for what refers to it. Its organisation must be there. */
export const insertRow = (db: MigratableDb, { orgId, environment }: Scope, id: string): Promise<unknown> =>
  db.transact((tx) =>
    tx.run(
      `INSERT INTO sessions (org_id, session_id, environment, position, state, config, policy_version, consent,
         provisioned_kind, provisioned_id, permissions, capabilities, created_at)
       SELECT ?, ?, ?, count(*) + 1, 'scheduled', '{}', 1, 'null', 'api_key', 'key_1', '{}', '[]', 1 FROM sessions`,
      [orgId, id, environment],
    ),
  )
