import { join } from 'node:path'
import { ServiceError } from '@integrity/protocol'
import * as z from 'zod'
import { canonicalize } from '../../platform/canonical-json.ts'
import type { Keyring } from '../../platform/crypto/keyring.ts'

/** The three files and what they hold, each an age file of its own. */
export const fileNames = {
  database: 'database.jsonl.gz.age',
  objects: 'objects.tar.age',
  keys: 'master.key.age',
} as const
export type Part = keyof typeof fileNames
export const parts = Object.keys(fileNames) as Part[]
export const manifestName = 'manifest.json'

/**
 * A file that a restore leaves in DATA_DIR. The server does not start until an operator has repeated the erasures made since the
 * backup (`erase`), which removes it. The file holds the time of the backup.
 */
export const restoredMark = (dataDir: string): string => join(dataDir, 'restored-from')

const file = z.strictObject({ bytes: z.int().nonnegative(), sha256: z.string().regex(/^[0-9a-f]{64}$/) })
const count = z.int().nonnegative()

const manifestSchema = z.strictObject({
  format: z.literal('interview-integrity-backup/1'),
  madeAt: z.iso.datetime(),
  version: z.string(),
  /** Name of the master key that the database is under. */
  keyId: z.string(),
  migrations: z.array(z.string()).min(1),
  /** Rows of each table. */
  tables: z.record(z.string(), count),
  objects: z.strictObject({ files: count, bytes: count }),
  files: z.strictObject({ database: file, objects: file, keys: file }),
  /** Under the master key: whoever can write to the folder cannot make another backup of it. */
  mac: z.string(),
})
export type Manifest = z.output<typeof manifestSchema>

const macLabel = 'backup-manifest'
const signedText = (manifest: Omit<Manifest, 'mac'> & { mac?: string }): string =>
  canonicalize(Object.fromEntries(Object.entries(manifest).filter(([name]) => name !== 'mac')))

export const sealManifest = (keyring: Pick<Keyring, 'mac'>, manifest: Omit<Manifest, 'mac'>): Manifest => ({
  ...manifest,
  mac: keyring.mac(macLabel, signedText(manifest)),
})

export const isManifestOf = (keyring: Pick<Keyring, 'macHolds'>, manifest: Manifest): boolean =>
  keyring.macHolds(manifest.mac, macLabel, signedText(manifest))

/** Something about a backup that its operator has to know, in words. */
export const refused = (message: string, options?: ErrorOptions): ServiceError =>
  new ServiceError('invalid_request', message, options)

export const parseManifest = (text: string): Manifest => {
  try {
    return manifestSchema.parse(JSON.parse(text))
  } catch (cause) {
    throw refused(`${manifestName} is not one of a backup, or of a form that this version does not know`, { cause })
  }
}

/** A line of the database: a table begins, or rows of the one that began last. */
export const lineSchema = z.union([
  z.strictObject({ table: z.string(), columns: z.array(z.string()) }),
  z.array(z.array(z.union([z.string(), z.number(), z.null()]))),
])
