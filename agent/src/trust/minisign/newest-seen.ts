import { readFile } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import * as z from 'zod'
import { privateDir, writeDurably } from '../../shared/durable-file.ts'

const entry = z.object({ sequence: z.number().int().min(0), sha256: z.string() })
const contents = z.record(z.string(), entry)

export type SeenDocument = z.output<typeof entry>

/** The newest signed document that was accepted, for each stream of documents; kept over restarts. */
export interface NewestSeen {
  get(stream: string): Promise<SeenDocument | undefined>
  /** Returns once it is on disk. */
  set(stream: string, seen: SeenDocument): Promise<void>
}

/**
 * Keeps them in `newest-seen.json` of `dir`. A file that cannot be read as such counts as nothing seen: it protects
 * against the network, not against someone who writes to this user's files, and must not stop anybody's interview.
 */
export const fileNewestSeen = (dir: string): NewestSeen => {
  const path = join(dir, 'newest-seen.json')
  const read = async (): Promise<Record<string, SeenDocument>> => {
    try {
      return contents.parse(JSON.parse(await readFile(path, 'utf8')))
    } catch (error) {
      const code = (error as NodeJS.ErrnoException).code
      if (code === undefined || code === 'ENOENT') return {}
      throw error
    }
  }
  let last: Promise<void> = Promise.resolve()
  return {
    get: async (stream) => {
      await last.catch(() => undefined)
      return (await read())[stream]
    },
    set: (stream, seen) => {
      // One after another, or two streams would each write a file without the other.
      last = last
        .catch(() => undefined)
        .then(async () => {
          await privateDir(dirname(path))
          await writeDurably(path, Buffer.from(JSON.stringify({ ...(await read()), [stream]: seen })))
        })
      return last
    },
  }
}
