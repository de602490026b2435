import { createHash } from 'node:crypto'
import { mkdir, open, readdir } from 'node:fs/promises'
import { join } from 'node:path'
import { Readable } from 'node:stream'
import { createGzip } from 'node:zlib'
import { sealFile } from '../../platform/crypto/age-file.ts'
import { createKeyring } from '../../platform/crypto/keyring.ts'
import type { Snapshot, WholeDatabase } from '../../platform/db/snapshot.types.ts'
import { type Pins, pinFiles } from '../../platform/storage/pinned-files.ts'
import { tarEnd, tarHeader, tarPadding } from '../../platform/tar.ts'
import { fileNames, type Manifest, manifestName, refused, sealManifest } from './backup.format.ts'

export interface BackupCall {
  readonly database: WholeDatabase
  /** The root of the local store. */
  readonly objects: string
  readonly masterKey: Buffer
  readonly version: string
  readonly now: () => number
  /** Where the files go: a folder that is empty or not there. */
  readonly to: string
  readonly recipients: readonly string[]
  /** Who may open the keys; they are worth more than the rest. */
  readonly keyRecipients: readonly string[]
}

const dayMs = 24 * 3600 * 1000

const syncFolder = async (path: string): Promise<void> => {
  const folder = await open(path, 'r')
  try {
    await folder.sync()
  } finally {
    await folder.close()
  }
}

/** Writes a file that is on the disk when this resolves. */
const writeWhole = async (path: string, pieces: AsyncIterable<Uint8Array> | readonly Uint8Array[]) => {
  const hash = createHash('sha256')
  let bytes = 0
  const target = await open(path, 'wx', 0o600)
  try {
    for await (const piece of pieces) {
      hash.update(piece)
      bytes += piece.length
      await target.writeFile(piece)
    }
    await target.sync()
  } finally {
    await target.close()
  }
  return { bytes, sha256: hash.digest('hex') }
}

async function* databaseLines(snapshot: Snapshot, counts: Record<string, number>): AsyncGenerator<string> {
  for (const table of snapshot.tables) {
    counts[table.name] = 0
    yield `${JSON.stringify({ table: table.name, columns: table.columns })}\n`
    for await (const rows of snapshot.rows(table)) {
      counts[table.name]! += rows.length
      yield `${JSON.stringify(rows)}\n`
    }
  }
}

const zipped = (lines: AsyncIterable<string>): AsyncIterable<Buffer> => {
  const gzip = createGzip({ level: 1 })
  const source = Readable.from(lines)
  source.once('error', (error) => gzip.destroy(error))
  return source.pipe(gzip)
}

async function* archive(pins: Pins, sum: { files: number; bytes: number }): AsyncGenerator<Buffer> {
  for await (const { name, path } of pins.files()) {
    const source = await open(path, 'r')
    try {
      const { size } = await source.stat()
      yield tarHeader(name, size)
      // What is written to it from now on belongs to a later moment.
      if (size > 0) yield* source.createReadStream({ end: size - 1, autoClose: false }) as AsyncIterable<Buffer>
      yield tarPadding(size)
      sum.files += 1
      sum.bytes += size
    } finally {
      await source.close()
    }
  }
  yield tarEnd
}

const emptyFolder = async (path: string): Promise<void> => {
  await mkdir(path, { recursive: true, mode: 0o700 })
  if ((await readdir(path)).length > 0) throw refused(`${path} is not empty: name a folder of its own for each backup`)
}

const pinned = async (objects: string, now: number): Promise<Pins> => {
  try {
    return await pinFiles(objects, { staleBefore: now - dayMs })
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error
    throw refused(`another backup runs, or was cut off less than a day ago: if none runs, remove ${objects}/pinned`)
  }
}

/**
 * Writes a backup of a service that goes on. The database is of one moment; of the objects everything is kept that was there
 * at that moment: they are pinned before it and after it, so that neither what is written nor what is removed meanwhile lacks.
 */
export const writeBackup = async (call: BackupCall): Promise<Manifest> => {
  const { to, recipients, now, version } = call
  await emptyFolder(to)
  const keyring = createKeyring(call.masterKey)
  const keyText = Buffer.from(`${call.masterKey.toString('base64')}\n`)
  const pins = await pinned(call.objects, now())
  try {
    await pins.pin()
    const tables: Record<string, number> = {}
    const [madeAt, migrations, database] = await call.database.snapshot(async (snapshot) => {
      await pins.pin()
      const at = new Date(now()).toISOString()
      const sealed = sealFile(zipped(databaseLines(snapshot, tables)), recipients)
      return [at, snapshot.migrations, await writeWhole(join(to, fileNames.database), sealed)] as const
    })
    const sum = { files: 0, bytes: 0 }
    const objects = await writeWhole(join(to, fileNames.objects), sealFile(archive(pins, sum), recipients))
    const sealedKeys = sealFile(Readable.from([keyText]), call.keyRecipients)
    const keys = await writeWhole(join(to, fileNames.keys), sealedKeys)
    const manifest = sealManifest(keyring, {
      format: 'interview-integrity-backup/1',
      madeAt,
      version,
      keyId: keyring.keyId,
      tables,
      migrations: [...migrations],
      objects: sum,
      files: { database, objects, keys },
    })
    // Last: a folder without it is no backup.
    await writeWhole(join(to, manifestName), [Buffer.from(`${JSON.stringify(manifest, undefined, 2)}\n`)])
    await syncFolder(to)
    return manifest
  } finally {
    await pins.release()
  }
}
