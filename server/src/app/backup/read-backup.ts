import { createHash } from 'node:crypto'
import { createReadStream } from 'node:fs'
import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { Readable } from 'node:stream'
import { buffer } from 'node:stream/consumers'
import { createGunzip } from 'node:zlib'
import { AgeError } from '../../platform/crypto/age-error.ts'
import { openFile } from '../../platform/crypto/age-file.ts'
import { type AgeIdentity, parseIdentity } from '../../platform/crypto/age-keys.ts'
import { createKeyring } from '../../platform/crypto/keyring.ts'
import { parseMasterKey } from '../../platform/crypto/master-key.ts'
import type { Filling, TableShape } from '../../platform/db/snapshot.types.ts'
import { type TarEntry, tarEntries } from '../../platform/tar.ts'
import {
  fileNames,
  isManifestOf,
  lineSchema,
  type Manifest,
  manifestName,
  type Part,
  parseManifest,
  parts,
  refused,
} from './backup.format.ts'

/** A backup whose files are as its manifest says, and whose manifest is of the key in it. */
export interface OpenBackup {
  readonly manifest: Manifest
  readonly masterKey: Buffer
  readonly tables: () => AsyncGenerator<Filling>
  readonly objects: () => AsyncGenerator<TarEntry>
}

/** Reads identities as `age-keygen` writes them. */
export const readIdentities = async (files: readonly string[]): Promise<AgeIdentity[]> => {
  const identities: AgeIdentity[] = []
  for (const file of files) {
    const text = await readFile(file, 'utf8').catch((cause: Error) => {
      throw refused(`cannot read ${file}: ${cause.message}`, { cause })
    })
    const lines = text.split('\n').filter((line) => line.trim() !== '' && !line.startsWith('#'))
    for (const line of lines)
      try {
        identities.push(parseIdentity(line.trim()))
      } catch (cause) {
        throw refused(`${file} holds something else than age identities (AGE-SECRET-KEY-1…)`, { cause })
      }
  }
  return identities
}

const readManifest = async (from: string): Promise<Manifest> => {
  const text = await readFile(join(from, manifestName), 'utf8').catch((cause: Error) => {
    throw refused(`${from} is no finished backup: it has no ${manifestName}`, { cause })
  })
  return parseManifest(text)
}

const checkFile = async (from: string, part: Part, { bytes, sha256 }: Manifest['files'][Part]): Promise<void> => {
  const name = fileNames[part]
  const hash = createHash('sha256')
  let length = 0
  try {
    for await (const piece of createReadStream(join(from, name)) as AsyncIterable<Buffer>) {
      hash.update(piece)
      length += piece.length
    }
  } catch (cause) {
    throw refused(`${name} cannot be read: ${(cause as Error).message}`, { cause })
  }
  if (length !== bytes) throw refused(`${name} was cut or grew: it has ${length} bytes instead of ${bytes}`)
  if (hash.digest('hex') !== sha256) throw refused(`${name} was changed: its hash is not the one in ${manifestName}`)
}

async function* openPart(from: string, part: Part, identities: readonly AgeIdentity[]): AsyncGenerator<Buffer> {
  try {
    yield* openFile(createReadStream(join(from, fileNames[part])), identities)
  } catch (cause) {
    if (!(cause instanceof AgeError)) throw cause
    const why =
      cause.code === 'no_matching_identity'
        ? 'none of the identities opens it: it was made for another recipient'
        : cause.message
    throw refused(`${fileNames[part]}: ${why}`, { cause })
  }
}

async function* readTables(pieces: AsyncIterable<Buffer>): AsyncGenerator<Filling> {
  const source = Readable.from(pieces)
  const gunzip = createGunzip()
  source.once('error', (error) => gunzip.destroy(error))
  let table: TableShape | undefined
  for await (const text of createInterface({ input: source.pipe(gunzip), crlfDelay: Number.POSITIVE_INFINITY })) {
    const line = lineSchema.parse(JSON.parse(text))
    if (!Array.isArray(line)) table = { name: line.table, columns: line.columns }
    if (table) yield { table, rows: Array.isArray(line) ? line : [] }
  }
}

/** Holds the files to the manifest, and the manifest to the master key, before anything of it is believed. */
export const openBackup = async (from: string, identities: readonly AgeIdentity[]): Promise<OpenBackup> => {
  const manifest = await readManifest(from)
  for (const part of parts) await checkFile(from, part, manifest.files[part])
  const keyText = (await buffer(openPart(from, 'keys', identities))).toString('latin1')
  const masterKey = parseMasterKey(keyText, fileNames.keys)
  const keyring = createKeyring(masterKey)
  if (keyring.keyId !== manifest.keyId || !isManifestOf(keyring, manifest))
    throw refused(`${manifestName} was not made with the master key in ${fileNames.keys}`)
  return {
    manifest,
    masterKey,
    tables: () => readTables(openPart(from, 'database', identities)),
    objects: () => tarEntries(openPart(from, 'objects', identities)),
  }
}

/** Opens everything to its end and counts it. Throws in words where it is not what the manifest says. */
export const verifyBackup = async (backup: OpenBackup): Promise<void> => {
  await checkedTables(backup)
  const sum = { files: 0, bytes: 0 }
  for await (const { size } of backup.objects()) {
    sum.files += 1
    sum.bytes += size
  }
  checkObjects(backup, sum)
}

const checkedTables = async (backup: OpenBackup): Promise<void> => {
  for await (const _ of countedTables(backup));
}

/** The tables, held to the numbers of rows in the manifest once all came. */
export async function* countedTables({ tables, manifest }: OpenBackup): AsyncGenerator<Filling> {
  const counts: Record<string, number> = {}
  for await (const filling of tables()) {
    counts[filling.table.name] = (counts[filling.table.name] ?? 0) + filling.rows.length
    yield filling
  }
  for (const name of new Set([...Object.keys(counts), ...Object.keys(manifest.tables)]))
    if (counts[name] !== manifest.tables[name])
      throw refused(`${name} has ${counts[name] ?? 'no'} rows instead of ${manifest.tables[name] ?? 'none'}`)
}

export const checkObjects = ({ manifest }: OpenBackup, { files, bytes }: { files: number; bytes: number }): void => {
  if (files !== manifest.objects.files || bytes !== manifest.objects.bytes)
    throw refused(
      `${files} objects of ${bytes} bytes instead of ${manifest.objects.files} of ${manifest.objects.bytes}`,
    )
}
