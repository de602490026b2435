import { createHash } from 'node:crypto'
import { createReadStream } from 'node:fs'
import { open, readdir, readFile, rename, rm, stat, writeFile } from 'node:fs/promises'
import { dirname, extname, join } from 'node:path'
import { pipeline } from 'node:stream/promises'
import type { UpdateBuild } from '@integrity/protocol'
import * as z from 'zod'
import { syncDir } from '../../shared/durable-file.ts'

/** What a half-done file is part of. Without an ETag it cannot be continued, only begun again. */
const partOf = z.object({ url: z.string(), sha512: z.string(), etag: z.string() })

/** The file's SHA-512, lower-case hex; undefined when it is not there. */
export const sha512Of = async (path: string): Promise<string | undefined> => {
  const hash = createHash('sha512')
  try {
    await pipeline(createReadStream(path), hash)
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return undefined
    throw error
  }
  return hash.digest('hex')
}

/**
 * One build's file on its way to disk: `<name>.part` with a note of what it is part of, and `<name>` once all of it is
 * there and its hash is right.
 */
export class StagedFile {
  readonly path: string
  readonly #part: string
  readonly #note: string
  readonly #build: UpdateBuild

  constructor(dir: string, build: UpdateBuild) {
    const ending = /^\.[A-Za-z0-9]{1,10}$/.exec(extname(new URL(build.url).pathname))?.[0] ?? ''
    // Named by us: nothing of the address but its ending reaches the file system.
    this.path = join(dir, `agent-${build.version}-${build.platform}-${build.arch}${ending}`.replaceAll(/[/\\:]/g, '_'))
    this.#part = `${this.path}.part`
    this.#note = `${this.path}.part.json`
    this.#build = build
  }

  /** Removes whatever else is in the folder: builds that were installed or are no longer wanted. */
  async removeOthers(): Promise<void> {
    const dir = dirname(this.path)
    const own = new Set([this.path, this.#part, this.#note])
    const others = (await readdir(dir)).map((name) => join(dir, name)).filter((path) => !own.has(path))
    await Promise.all(others.map((path) => rm(path, { force: true, recursive: true })))
  }

  /** Whether the whole file is there already; a file that is not the announced one is removed. */
  async isReady(): Promise<boolean> {
    const found = await sha512Of(this.path)
    if (found !== undefined && found !== this.#build.sha512) await rm(this.path, { force: true })
    return found === this.#build.sha512
  }

  /** How much is there of the very file that is wanted, and its ETag. */
  async begun(): Promise<{ bytes: number; etag: string | undefined }> {
    try {
      const note = partOf.parse(JSON.parse(await readFile(this.#note, 'utf8')))
      const { size } = await stat(this.#part)
      const usable = note.sha512 === this.#build.sha512 && note.url === this.#build.url
      if (usable && size > 0 && size <= this.#build.sizeBytes) return { bytes: size, etag: note.etag }
    } catch {
      // No note, or not a whole one: begin again.
    }
    return { bytes: 0, etag: undefined }
  }

  /** Opens the part for writing at `offset`; what is behind it is cut off. */
  async openPart(offset: number, etag: string | undefined) {
    const { url, sha512 } = this.#build
    if (etag === undefined) await rm(this.#note, { force: true })
    else await writeFile(this.#note, JSON.stringify({ url, sha512, etag }), { mode: 0o600 })
    const handle = await open(this.#part, offset === 0 ? 'w' : 'r+', 0o600)
    if (offset > 0) await handle.truncate(offset)
    return handle
  }

  /** Hashes the whole part from disk and, when it is the announced file, gives it its name. */
  async complete(): Promise<boolean> {
    if ((await sha512Of(this.#part)) !== this.#build.sha512) return false
    await rename(this.#part, this.path)
    await rm(this.#note, { force: true })
    await syncDir(dirname(this.path))
    return true
  }

  async removePart(): Promise<void> {
    await rm(this.#part, { force: true })
    await rm(this.#note, { force: true })
  }
}
