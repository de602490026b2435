import { createHash } from 'node:crypto'
import { mkdirSync, readdirSync, readFileSync, renameSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'

/** Something that is built from the sources of this tree and served by the server. */
export interface WebClient {
  /** From the root. The result is put into its `dist`. */
  readonly folder: string
  /** Files and folders, from the root, that decide what is built. What is not there counts as empty. */
  readonly inputs: readonly string[]
  /** Writes the result into a folder that does not exist yet. */
  build(root: string, into: string): Promise<void>
}

/** Neither what comes out nor what only tests read. */
const ignored = /^(?:dist|node_modules)$|\.test\.tsx?$/

const filesUnder = (root: string, path: string): string[] => {
  const found = statSync(join(root, path), { throwIfNoEntry: false })
  if (!found) return []
  if (!found.isDirectory()) return [path]
  return readdirSync(join(root, path))
    .filter((name) => !ignored.test(name))
    .sort()
    .flatMap((name) => filesUnder(root, `${path}/${name}`))
}

/** SHA-256 over everything the client is made of, in hex. */
export const stampOf = (root: string, client: WebClient): string => {
  const hash = createHash('sha256')
  for (const file of client.inputs.flatMap((input) => filesUnder(root, input))) {
    const bytes = readFileSync(join(root, file))
    hash.update(JSON.stringify([file, bytes.length])).update(bytes)
  }
  return hash.digest('hex')
}

export const stampFile = 'built-from.txt'

export const isCurrent = (root: string, client: WebClient): boolean => {
  try {
    return readFileSync(join(root, client.folder, 'dist', stampFile), 'utf8') === stampOf(root, client)
  } catch {
    return false
  }
}

/** Builds aside and puts the result in place as a whole, so that a server never finds half of it. */
export const buildClient = async (root: string, client: WebClient): Promise<void> => {
  const stamp = stampOf(root, client)
  const aside = join(root, '.tsbuild', `client-${client.folder.replaceAll('/', '-')}-${process.pid}`)
  const [fresh, old, dist] = [join(aside, 'new'), join(aside, 'old'), join(root, client.folder, 'dist')]
  rmSync(aside, { recursive: true, force: true })
  mkdirSync(aside, { recursive: true })
  try {
    await client.build(root, fresh)
    writeFileSync(join(fresh, stampFile), stamp)
    if (statSync(dist, { throwIfNoEntry: false })) renameSync(dist, old)
    renameSync(fresh, dist)
  } finally {
    rmSync(aside, { recursive: true, force: true })
  }
}
