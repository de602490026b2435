import { readFile, rm } from 'node:fs/promises'
import { dirname } from 'node:path'
import type * as z from 'zod'
import { syncDir, writeDurably } from '../../shared/durable-file.ts'
import { seal, unseal } from './seal.ts'

/**
 * One sealed JSON document beside the index, so that the session and its token outlive a damaged index.
 * `load` answers undefined when there is none; throws when it was sealed with another key or does not fit the schema.
 */
export class SealedRecord<T> {
  readonly #path: string
  readonly #key: Buffer
  readonly #schema: z.ZodType<T>

  constructor(path: string, key: Buffer, schema: z.ZodType<T>) {
    this.#path = path
    this.#key = key
    this.#schema = schema
  }

  async load(): Promise<T | undefined> {
    let sealed: Buffer
    try {
      sealed = await readFile(this.#path)
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code === 'ENOENT') return undefined
      throw error
    }
    return this.#schema.parse(JSON.parse(unseal(this.#key, 'session', sealed).toString('utf8')))
  }

  /** Resolves when durable. */
  async save(value: T): Promise<void> {
    await writeDurably(this.#path, seal(this.#key, 'session', Buffer.from(JSON.stringify(value))))
  }

  async clear(): Promise<void> {
    await rm(this.#path, { force: true })
    await syncDir(dirname(this.#path))
  }
}
