import { createHash } from 'node:crypto'
import { crc32 } from 'node:zlib'
import { ServiceError } from '@integrity/protocol'
import type { Needs, Reads } from '../../../kernel/call.ts'
import { AgeError } from '../../../platform/crypto/age-error.ts'
import type { SealedFile } from '../../../platform/film/sealed-file.ts'
import { StorageError } from '../../../platform/storage/types.ts'
import { EvidenceFault } from '../../recording/evidence/evidence.binding.model.ts'
import {
  fileNameOf,
  headerFor,
  readContent,
  readSealedBytes,
} from '../../recording/evidence/evidence.download.service.ts'
import { evidencePages } from '../../recording/evidence/evidence.service.ts'
import type { EvidenceRow } from '../../recording/evidence/evidence.types.ts'
import { type LeftOut, LineTree, type ManifestPart } from './bundles.manifest.model.ts'
import type { WrittenPart } from './bundles.parts.view.ts'
import type { Wanted } from './bundles.types.ts'

/** A part of which everything is known that the ZIP and the manifest say. */
export interface Measured {
  readonly part: ManifestPart & { readonly size: number; readonly sha256: string }
  readonly crc32: number
  /** Where its bytes are: in the file of written parts, or an object, with the age header before it where it is sealed. */
  readonly at: { readonly start: number } | { readonly evidenceId: string; readonly header: Buffer }
}

class Meter {
  readonly #hash = createHash('sha256')
  #crc32 = 0
  size = 0

  add(bytes: Buffer): void {
    this.#hash.update(bytes)
    this.#crc32 = crc32(bytes, this.#crc32)
    this.size += bytes.length
  }

  sums(): { size: number; sha256: string; crc32: number } {
    return { size: this.size, sha256: this.#hash.digest('hex'), crc32: this.#crc32 }
  }
}

/** Writes a part behind those before it. */
export const spool = async (file: SealedFile, { path, kind, text, lines }: WrittenPart): Promise<Measured> => {
  const start = file.size
  const meter = new Meter()
  const write = async (piece: string): Promise<void> => {
    const bytes = Buffer.from(piece)
    meter.add(bytes)
    await file.append(bytes)
  }
  for await (const piece of text) await write(piece)
  const tree = lines && new LineTree()
  for await (const page of lines ?? []) {
    for (const line of page) tree?.add(line)
    if (page.length > 0) await write(`${page.join('\n')}\n`)
  }
  const { crc32: crc, ...sums } = meter.sums()
  const ofLines = tree && { lines: { count: tree.count, root: tree.root() } }
  return { part: { path, kind, ...sums, ...ofLines }, crc32: crc, at: { start } }
}

type EvidenceCall = Reads & Needs<'identities' | 'keyring' | 'log' | 'sessionKeys' | 'store'>

const aboutOf = (row: EvidenceRow) => ({
  id: row.id,
  evidenceType: row.evidenceType,
  contentType: row.contentType,
  capturedAt: new Date(row.capturedAt).toISOString(),
  ...(row.durationMs === null ? {} : { durationMs: row.durationMs }),
  sizeBytes: row.sizeBytes,
  sha256: row.sha256,
})

/** Reads an object once. Plain bytes are held against the row's hash, also where only the sealed ones go out. */
const measure = async (call: EvidenceCall, row: EvidenceRow, { recipients }: Wanted) => {
  const meter = new Meter()
  const plain = readContent(call, { item: row })
  if (recipients.length === 0) {
    for await (const piece of plain) meter.add(piece)
    return { ...meter.sums(), header: Buffer.alloc(0) }
  }
  for await (const _ of plain);
  const header = Buffer.from(await headerFor(call, { item: row, recipients }))
  meter.add(header)
  for await (const piece of readSealedBytes(call, { item: row })) meter.add(piece)
  return { ...meter.sums(), header }
}

/** Why an object could not be read, where that is its own fault; anything else is thrown again. */
const faultOf = (call: EvidenceCall, row: EvidenceRow, error: unknown): LeftOut => {
  if (error instanceof ServiceError && error.code === 'not_found') return 'erased'
  const unreadable = ['not_found', 'digest_mismatch', 'size_mismatch'] as const
  const isOwn =
    error instanceof EvidenceFault ||
    error instanceof AgeError ||
    (error instanceof StorageError && (unreadable as readonly string[]).includes(error.code))
  if (!isOwn) throw error
  call.log.error({ err: error, evidenceId: row.id }, 'evidence was left out of a bundle, as it could not be read')
  return 'unreadable'
}

/** Every object of a session, in the order of storing: as a measured part, or named as left out with the reason. */
export async function* measuredEvidence(
  call: EvidenceCall,
  { sessionId, wanted }: { readonly sessionId: string; readonly wanted: Wanted },
): AsyncGenerator<Measured | { readonly part: ManifestPart }> {
  for await (const page of evidencePages(call, sessionId))
    for (const row of page) {
      const path = `evidence/${fileNameOf(row)}${wanted.recipients.length > 0 ? '.age' : ''}`
      const named = { path, kind: 'evidence', evidence: aboutOf(row) }
      const leftOut = (why: LeftOut) => ({ part: { ...named, leftOut: why } })
      if (row.erasedAt !== null) yield leftOut('erased')
      else if (wanted.evidence && !wanted.evidence.includes(row.evidenceType)) yield leftOut('not_chosen')
      else
        try {
          const { crc32: crc, header, ...sums } = await measure(call, row, wanted)
          yield { part: { ...named, ...sums }, crc32: crc, at: { evidenceId: row.id, header } }
        } catch (error) {
          yield leftOut(faultOf(call, row, error))
        }
    }
}
