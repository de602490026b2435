import { link, mkdir, readdir, rm, stat } from 'node:fs/promises'
import { dirname, join, sep } from 'node:path'

export interface PinnedFile {
  /** Below the root, with `/` between. */
  readonly name: string
  readonly path: string
}

export interface Pins {
  /** Pins what is in the store now, beside what was pinned before. */
  pin(): Promise<void>
  files(): AsyncGenerator<PinnedFile>
  release(): Promise<void>
}

const folders = ['segments', 'objects'] as const

const ifThere = async <T>(work: Promise<T>, otherwise: T): Promise<T> => {
  try {
    return await work
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return otherwise
    throw error
  }
}

async function* filesBelow(root: string, name: string): AsyncGenerator<PinnedFile> {
  const path = join(root, name.replaceAll('/', sep))
  for (const entry of await ifThere(readdir(path, { withFileTypes: true }), [])) {
    if (entry.isDirectory()) yield* filesBelow(root, `${name}/${entry.name}`)
    else if (entry.isFile()) yield { name: `${name}/${entry.name}`, path: join(path, entry.name) }
  }
}

/**
 * Holds files of a local store by second names, which costs no room: what the store removes meanwhile can still be read.
 * Unfinished objects come first, so that one which is finished between the two folders is found in the second.
 * What an earlier run left is taken away first; two at a time are refused.
 */
export const pinFiles = async (root: string, { staleBefore }: { staleBefore: number }): Promise<Pins> => {
  const pinned = join(root, 'pinned')
  const age = await ifThere(stat(pinned), undefined)
  if (age && age.mtimeMs < staleBefore) await rm(pinned, { recursive: true, force: true })
  await mkdir(root, { recursive: true, mode: 0o700 })
  await mkdir(pinned, { mode: 0o700 })
  const made = new Set<string>()
  const one = async ({ name, path }: PinnedFile) => {
    const second = join(pinned, name.replaceAll('/', sep))
    const folder = dirname(second)
    if (!made.has(folder)) await mkdir(folder, { recursive: true, mode: 0o700 })
    made.add(folder)
    await link(path, second).catch((error: NodeJS.ErrnoException) => {
      // Pinned before, or gone since it was listed.
      if (error.code !== 'EEXIST' && error.code !== 'ENOENT') throw error
    })
  }
  return {
    async pin() {
      for (const folder of folders) for await (const file of filesBelow(root, folder)) await one(file)
    },
    async *files() {
      for (const folder of folders) yield* filesBelow(pinned, folder)
    },
    release: () => rm(pinned, { recursive: true, force: true }),
  }
}
