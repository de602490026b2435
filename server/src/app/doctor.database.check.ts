import { join } from 'node:path'
import { anyOrg } from '../domains/organisation/orgs/orgs.service.ts'
import type { Config } from '../kernel/config.ts'
import { knownMasterKey } from '../kernel/root-key.ts'
import { migrations } from '../migrations/index.ts'
import { createKeyring } from '../platform/crypto/keyring.ts'
import { loadMasterKey } from '../platform/crypto/master-key.ts'
import type { MigratableDb } from '../platform/db/dialect.ts'
import { pendingMigrations } from '../platform/db/migrate.ts'
import { type Finding, wordsOf } from './doctor.finding.ts'
import { databasePlace, openExisting } from './existing-database.ts'

const away = (config: Config, error: unknown): Finding => ({
  subject: 'database',
  state: 'mend',
  reason: `${databasePlace(config)}: ${wordsOf(error)}`,
  todo: config.databaseUrl
    ? 'look whether Postgres runs and takes what DATABASE_URL says: psql "$DATABASE_URL" -c "select 1"'
    : 'set DATA_DIR to the folder of the service, or start it once',
})

const schemaOf = async (config: Config, db: MigratableDb): Promise<Finding> => {
  const pending = await pendingMigrations(db, migrations)
  const place = databasePlace(config)
  const reason = `${place} answers`
  if (pending.length > 0)
    return {
      subject: 'database',
      state: 'note',
      reason: `${reason}; ${pending.length} migrations are not applied`,
      todo: 'make a backup; the next start of this version applies them',
    }
  if (await anyOrg({ reader: db.reader })) return { subject: 'database', state: 'ok', reason }
  return {
    subject: 'database',
    state: 'mend',
    reason: `${reason}, and has no organisation`,
    todo: 'look whether DATA_DIR or DATABASE_URL is the right one; if it is: admin bootstrap',
  }
}

const keyOf = async ({ dataDir, masterKey }: Config, db: MigratableDb): Promise<Finding> => {
  const subject = 'master key'
  try {
    const known = await knownMasterKey(db.reader)
    const keyFile = join(dataDir, 'master.key')
    const from = masterKey === undefined ? keyFile : 'MASTER_KEY'
    // A key is made where none is known, and this looks only.
    if (known === undefined)
      return { subject, state: 'mend', reason: 'the database has none yet', todo: 'start the service once' }
    const { keyId } = createKeyring(await loadMasterKey({ keyFile, ...(masterKey && { value: masterKey }), known }))
    if (keyId === known) return { subject, state: 'ok', reason: `${from} is the key of this database, ${known}` }
    return {
      subject,
      state: 'mend',
      reason: `${from} is ${keyId}, and the database was written under ${known}`,
      todo: `bring ${known} back from where it is kept; nothing else opens the evidence`,
    }
  } catch (error) {
    return { subject, state: 'mend', reason: wordsOf(error), todo: 'see docs/operating/master-key.md' }
  }
}

/** Whether the database is there and is this version's, and the key its own. Nothing is made and nothing migrated. */
export const checkDatabase = async (
  config: Config,
): Promise<{ readonly db?: MigratableDb; readonly findings: readonly Finding[] }> => {
  let db: MigratableDb | undefined
  try {
    db = await openExisting(config)
    return { db, findings: [await schemaOf(config, db), await keyOf(config, db)] }
  } catch (error) {
    await db?.close()
    return { findings: [away(config, error)] }
  }
}
