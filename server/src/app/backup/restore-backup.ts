import { mkdir, open, readdir } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { migrations } from '../../migrations/index.ts'
import { createKeyring } from '../../platform/crypto/keyring.ts'
import { type Migration, migrateUp } from '../../platform/db/migrate.ts'
import { type DatabaseAddress, openDb, wholeDatabase } from '../../platform/db/open-db.ts'
import { keepPrivate } from '../../platform/private-folder.ts'
import { refused, restoredMark } from './backup.format.ts'
import { checkObjects, countedTables, type OpenBackup } from './read-backup.ts'

export interface RestoreTarget extends DatabaseAddress {
  /** Where MASTER_KEY is set: the key is not written to a file then. */
  readonly masterKey?: Buffer | undefined
}

/** The steps that the backed up database had, which need not be all below its newest. */
const knownMigrations = ({ manifest }: OpenBackup): readonly Migration[] => {
  const names = migrations.map(({ name }) => name)
  const unknown = manifest.migrations.filter((name) => !names.includes(name))
  if (unknown.length > 0)
    throw refused(
      `this backup is of a newer version (${manifest.version}) with the schema steps ${unknown.join(', ')}: ` +
        'restore it with that version or a later one',
    )
  return migrations.filter(({ name }) => manifest.migrations.includes(name))
}

const emptyFolder = async (path: string): Promise<void> => {
  const names = await readdir(path).catch((error: NodeJS.ErrnoException) => {
    if (error.code === 'ENOENT') return []
    throw error
  })
  if (names.length > 0)
    throw refused(`${path} is not empty (${names.slice(0, 3).join(', ')}): a backup is restored onto nothing`)
}

/** The tables as they were at the backup. What later versions change of them, their first start does. */
const makeTables = async (target: RestoreTarget, steps: readonly Migration[]) => {
  const db = await openDb(target)
  try {
    await migrateUp(db, steps)
  } catch (cause) {
    throw refused(`the database is not empty: ${(cause as Error).message}`, { cause })
  } finally {
    await db.close()
  }
}

const writeDurably = async (path: string, pieces: AsyncIterable<Uint8Array>): Promise<void> => {
  const file = await open(path, 'wx', 0o600)
  try {
    for await (const piece of pieces) await file.writeFile(piece)
    await file.sync()
  } finally {
    await file.close()
  }
}

async function* textOf(text: string): AsyncGenerator<Buffer> {
  yield Buffer.from(text)
}

const safeName = /^(?:objects|segments)(?:\/(?!\.{1,2}(?:\/|$))[^/\0\\]+){2,}$/

const restoreObjects = async (backup: OpenBackup, root: string): Promise<void> => {
  const sum = { files: 0, bytes: 0 }
  const made = new Set<string>()
  await mkdir(root, { recursive: true, mode: 0o700 })
  for await (const { name, size, bytes } of backup.objects()) {
    if (!safeName.test(name)) throw refused(`an object has an impossible name: ${JSON.stringify(name)}`)
    const path = join(root, ...name.split('/'))
    if (!made.has(dirname(path))) await mkdir(dirname(path), { recursive: true, mode: 0o700 })
    made.add(dirname(path))
    await writeDurably(path, bytes)
    sum.files += 1
    sum.bytes += size
  }
  checkObjects(backup, sum)
}

/**
 * Puts a backup onto nothing: an empty data folder and an empty database of either kind. The key comes last, so that no server
 * starts on half of it.
 */
export const restoreBackup = async (backup: OpenBackup, target: RestoreTarget): Promise<void> => {
  const steps = knownMigrations(backup)
  const { dataDir, masterKey } = target
  if (masterKey && createKeyring(masterKey).keyId !== backup.manifest.keyId)
    throw refused(`MASTER_KEY is another key than the backup's (${backup.manifest.keyId}): unset it, or set that one`)
  await emptyFolder(dataDir)
  await keepPrivate(dataDir)
  await makeTables(target, steps)
  const database = wholeDatabase(target)
  const filled = await database.filledTables()
  if (filled.length > 0) throw refused(`the database is not empty: ${filled.slice(0, 3).join(', ')} have rows`)
  await database.fill(countedTables(backup))
  await restoreObjects(backup, join(dataDir, 'objects'))
  await writeDurably(restoredMark(dataDir), textOf(`${backup.manifest.madeAt}\n`))
  if (masterKey) return
  await writeDurably(join(dataDir, 'master.key'), textOf(`${backup.masterKey.toString('base64')}\n`))
}
