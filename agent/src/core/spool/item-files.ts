import { createHash, randomUUIDv7 } from 'node:crypto'
import { readdir, readFile, rename, rm, stat } from 'node:fs/promises'
import { join } from 'node:path'
import { agentEvidenceTypes, captureSignature, recordedLanes } from '@integrity/protocol'
import * as z from 'zod'
import { privateDir, removeTemporaries, syncDir, writeDurably } from '../../shared/durable-file.ts'
import type { CapturedItem } from '../capture/types.ts'
import { seal, unseal } from './seal.ts'
import { type ItemHeader, ItemLost } from './types.ts'

const suffix = '.item'

const headerSchema: z.ZodType<ItemHeader> = z.object({
  clientId: z.string(),
  kind: z.enum(agentEvidenceTypes),
  lane: z.enum(recordedLanes),
  displayId: z.string().optional(),
  sequence: z.number().int(),
  capturedAt: z.number(),
  monotonicMs: z.number(),
  durationMs: z.number().optional(),
  contentType: z.string(),
  sizeBytes: z.number().int(),
  sha256: z.string(),
  meta: z.record(z.string(), z.unknown()),
  small: z.string().optional(),
  levels: z.string().optional(),
  signed: z.object({ signature: captureSignature, hash: z.string() }).optional(),
})

/** What is sealed and known of an item beside its bytes, under an id of its own. */
export const headerOf = ({ bytes, small, levels, meta, ...described }: CapturedItem, sequence: number): ItemHeader => ({
  ...described,
  meta: { ...meta },
  ...(small && { small: small.toString('base64') }),
  ...(levels && { levels: levels.toString('base64') }),
  clientId: randomUUIDv7(),
  sequence,
  sizeBytes: bytes.length,
  sha256: createHash('sha256').update(bytes).digest('hex'),
})

/** Header length (uint32, big endian), header as JSON, bytes: a file explains itself when the index is lost. */
export const sealItem = (key: Buffer, header: ItemHeader, bytes: Buffer): Buffer => {
  const json = Buffer.from(JSON.stringify(header))
  const length = Buffer.alloc(4)
  length.writeUInt32BE(json.length)
  return seal(key, 'item', length, json, bytes)
}

const openItem = (key: Buffer, sealed: Buffer): { header: ItemHeader; bytes: Buffer } => {
  const plain = unseal(key, 'item', sealed)
  const end = 4 + plain.readUInt32BE(0)
  return { header: headerSchema.parse(JSON.parse(plain.toString('utf8', 4, end))), bytes: plain.subarray(end) }
}

/** The sealed files, one for each item, named by its clientId. */
export class ItemFiles {
  readonly #dir: string
  readonly #key: Buffer

  private constructor(dir: string, key: Buffer) {
    this.#dir = dir
    this.#key = key
  }

  static async open(dir: string, key: Buffer): Promise<ItemFiles> {
    await privateDir(dir)
    await removeTemporaries(dir)
    return new ItemFiles(dir, key)
  }

  /** Resolves when the bytes and the name are durable. */
  async write(clientId: string, sealed: Buffer): Promise<void> {
    await writeDurably(this.#path(clientId), sealed)
  }

  /** Throws `ItemLost` when the file is gone, cut, altered, or another item's. */
  async read(clientId: string): Promise<{ header: ItemHeader; bytes: Buffer }> {
    let sealed: Buffer
    try {
      sealed = await readFile(this.#path(clientId))
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code === 'ENOENT') throw new ItemLost(clientId, 'file_missing')
      throw error
    }
    try {
      const item = openItem(this.#key, sealed)
      if (item.header.clientId === clientId) return item
    } catch {
      // Falls through: whatever did not open is unreadable.
    }
    throw new ItemLost(clientId, 'file_unreadable')
  }

  async remove(clientIds: readonly string[]): Promise<void> {
    await Promise.all(clientIds.map((clientId) => rm(this.#path(clientId), { force: true })))
    if (clientIds.length > 0) await syncDir(this.#dir)
  }

  /** Puts a file that does not open out of the way, without deleting it. Returns the new path. */
  async setAside(clientId: string): Promise<string> {
    const path = `${this.#path(clientId)}.unreadable`
    await rename(this.#path(clientId), path)
    return path
  }

  async size(clientId: string): Promise<number> {
    return (await stat(this.#path(clientId))).size
  }

  async list(): Promise<Set<string>> {
    const names = await readdir(this.#dir)
    return new Set(names.filter((name) => name.endsWith(suffix)).map((name) => name.slice(0, -suffix.length)))
  }

  #path(clientId: string): string {
    return join(this.#dir, `${clientId}${suffix}`)
  }
}
