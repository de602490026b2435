import { join } from 'node:path'
import { parseArgs } from 'node:util'
import { orgsElsewhere } from '../domains/administration/storage/storage.service.ts'
import { anyOrg } from '../domains/organisation/orgs/orgs.service.ts'
import { adminName } from '../kernel/admin-name.ts'
import { AgeError } from '../platform/crypto/age-error.ts'
import { parseRecipient } from '../platform/crypto/age-keys.ts'
import { loadMasterKey, parseMasterKey } from '../platform/crypto/master-key.ts'
import { wholeDatabase } from '../platform/db/open-db.ts'
import { createLog } from '../platform/log/log.ts'
import { type BareCommand, type Command, many, need, text } from './admin-command.ts'
import { type Manifest, refused } from './backup/backup.format.ts'
import { openBackup, readIdentities, verifyBackup } from './backup/read-backup.ts'
import { restoreBackup } from './backup/restore-backup.ts'
import { writeBackup } from './backup/write-backup.ts'
import { buildContext } from './build-context.ts'
import { readConfig } from './config.ts'
import { eraseFromLog, readList } from './erase-commands.ts'
import { addressOf, databasePlace } from './existing-database.ts'
import { rowsIn, writeLastBackup } from './last-backup.ts'

export const backupUsage = `  backup --to FOLDER --recipient age1… [--recipient …] [--key-recipient age1… …]
      Writes database, objects and master key as three encrypted files with a manifest, while the service runs. The key file
      is for --key-recipient where that is given, so that who opens the data need not open the key.
  backup verify --from FOLDER --identity FILE [--identity …]
      Opens a backup to its end and holds it to its manifest; nothing is written.
  backup restore --from FOLDER --identity FILE [--identity …] [--erased-since FILE]
      Restores onto an empty DATA_DIR and an empty database, of either kind, and erases again what the list of the service that
      was says (its erasures.jsonl). Without it the service does not start before: erase. Then: audit verify, evidence verify.`

const checked = (recipients: readonly string[]): readonly string[] => {
  for (const recipient of recipients)
    try {
      parseRecipient(recipient)
    } catch (error) {
      if (!(error instanceof AgeError)) throw error
      throw refused(`${recipient} is no age recipient (age1…, of age-keygen)`, { cause: error })
    }
  return recipients
}

const summary = (manifest: Manifest): string => {
  const { objects, madeAt, keyId } = manifest
  return `${rowsIn(manifest)} rows, ${objects.files} objects of ${objects.bytes} bytes, of ${madeAt}, under master key ${keyId}`
}

/** What an organisation keeps in a bucket of its own is its own to keep: nobody else may copy it. */
const notHere = (orgs: number): string =>
  `Not in it: objects of ${orgs} organisation${orgs === 1 ? '' : 's'} that lie in buckets of their own. ` +
  'The rows and keys to them are in it; have versions kept there.'

const backup: Command = async ({ app, print }, args) => {
  const options = { to: text, recipient: many, 'key-recipient': many } as const
  const { values } = parseArgs({ args, options })
  need({ ...values, recipient: values.recipient?.[0] }, ['to', 'recipient'])
  const recipients = checked(values.recipient ?? [])
  const { dataDir, masterKey: value } = app.config
  if (!(await anyOrg(app)))
    throw refused(
      `the database at ${databasePlace(app.config)} has no organisation, so there is nothing to back up: ` +
        'is DATA_DIR or DATABASE_URL missing?',
    )
  const manifest = await writeBackup({
    database: wholeDatabase(app.config),
    objects: join(dataDir, 'objects'),
    masterKey: await loadMasterKey({ keyFile: join(dataDir, 'master.key'), ...(value && { value }) }),
    version: app.version,
    now: () => app.clock.now(),
    to: values.to ?? '',
    recipients,
    keyRecipients: checked(values['key-recipient'] ?? recipients),
  })
  // For the metric that says how old the last one is.
  await writeLastBackup(dataDir, app.clock.now(), manifest)
  print(`${values.to}: ${summary(manifest)}`)
  const elsewhere = await orgsElsewhere(app)
  if (elsewhere > 0) print(notHere(elsewhere))
  return 0
}

const opened = async (values: { readonly from?: string; readonly identity?: string[] }) => {
  need({ ...values, identity: values.identity?.[0] }, ['from', 'identity'])
  return openBackup(values.from ?? '', await readIdentities(values.identity ?? []))
}

const verify: BareCommand = async ({ print }, args) => {
  const found = await opened(parseArgs({ args, options: { from: text, identity: many } }).values)
  await verifyBackup(found)
  if (!found.manifest.tables['orgs'])
    throw refused(`this is a backup of nothing: ${summary(found.manifest)}, and no organisation among them`)
  print(`the backup is whole: ${summary(found.manifest)}`)
  return 0
}

const restore: BareCommand = async ({ env, print }, args) => {
  const { values } = parseArgs({ args, options: { from: text, identity: many, 'erased-since': text } })
  // Read before anything is written: a list that cannot be read is found out in time.
  const list = values['erased-since'] === undefined ? undefined : await readList(values['erased-since'])
  const found = await opened(values)
  const config = readConfig(env)
  const { masterKey } = config
  await restoreBackup(found, {
    ...addressOf(config),
    masterKey: masterKey === undefined ? undefined : parseMasterKey(masterKey, 'MASTER_KEY'),
  })
  print(`restored: ${summary(found.manifest)}`)
  if (list !== undefined) {
    const built = await buildContext(config, { existing: true, isCommand: true, log: createLog({ level: 'warn' }) })
    try {
      await eraseFromLog(built.app, list, print)
    } finally {
      await built.close()
    }
  } else
    print(
      `It does not serve before it knows what was erased since: ${adminName} erase --from-log FILE, or erase --nothing-since`,
    )
  print(`Then run: ${adminName} audit verify, ${adminName} evidence verify`)
  return 0
}

export const backupCommands: Readonly<Record<string, Command>> = { backup }

/** These need no server's context, and must not make one: the target is to be empty. */
export const bareBackupCommands: Readonly<Record<string, BareCommand>> = {
  'backup verify': verify,
  'backup restore': restore,
}
