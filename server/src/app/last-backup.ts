import { readFile, rename, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import * as z from 'zod'
import type { Manifest } from './backup/backup.format.ts'

/** What `admin backup` says of the last one, for the metrics. */
export interface LastBackup {
  /** Epoch milliseconds. */
  readonly at: number
  readonly rows: number
  /** Rows of the audit trails, which only ever grow: a backup with fewer is one of something else. */
  readonly auditRows: number
  readonly objects: number
}

const count = z.int().nonnegative()
// Versions before wrote the time alone.
const form = z.union([
  z.strictObject({ at: count, rows: count, auditRows: count, objects: count }),
  count.transform((at) => ({ at, rows: Number.NaN, auditRows: Number.NaN, objects: Number.NaN })),
])

const fileIn = (dataDir: string): string => join(dataDir, 'last-backup')

export const rowsIn = ({ tables }: Pick<Manifest, 'tables'>): number =>
  Object.values(tables).reduce((sum, rows) => sum + rows, 0)

export const writeLastBackup = async (dataDir: string, at: number, manifest: Manifest): Promise<void> => {
  const { tables, objects } = manifest
  const text: LastBackup = { at, rows: rowsIn(manifest), auditRows: tables['audit_log'] ?? 0, objects: objects.files }
  const next = `${fileIn(dataDir)}.next`
  await writeFile(next, `${JSON.stringify(text)}\n`, { mode: 0o600 })
  await rename(next, fileIn(dataDir))
}

/** Zeros where none was made. */
export const readLastBackup = async (dataDir: string): Promise<LastBackup> => {
  try {
    return form.parse(JSON.parse(await readFile(fileIn(dataDir), 'utf8')))
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return { at: 0, rows: 0, auditRows: 0, objects: 0 }
    throw error
  }
}
