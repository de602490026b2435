import { mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { brotliCompressSync, brotliDecompressSync, constants } from 'node:zlib'
import { buildClient, isCurrent, stampFile, stampOf, type WebClient } from './build-client.ts'

/** One client as it was built: the stamp of what it is made of, and its files (all of them text) by their path. */
interface Shipped {
  readonly stamp: string
  readonly files: Readonly<Record<string, string>>
}

/**
 * What was built is in the tree, so that who only runs the server needs none of the tools that build it. From the root;
 * brotli over JSON, `Record<folder, Shipped>`.
 */
const shippedFile = 'scripts/clients/shipped.json.br'

export const readShipped = (root: string): Readonly<Record<string, Shipped>> => {
  try {
    return JSON.parse(brotliDecompressSync(readFileSync(join(root, shippedFile))).toString())
  } catch {
    // Gone or damaged: then it is built.
    return {}
  }
}

/** The client's files as they are in its `dist`, without the stamp. */
export const builtFiles = (dist: string): Record<string, string> =>
  Object.fromEntries(
    readdirSync(dist, { recursive: true, withFileTypes: true })
      .filter((entry) => entry.isFile())
      .map((entry) => join(entry.parentPath, entry.name))
      .map((file) => [file.slice(dist.length + 1).replaceAll('\\', '/'), file] as const)
      .filter(([path]) => path !== stampFile)
      .sort(([one], [other]) => (one < other ? -1 : 1))
      .map(([path, file]) => [path, readText(file)]),
  )

const readText = (file: string): string => {
  const bytes = readFileSync(file)
  const text = bytes.toString()
  // A picture or a font would be broken without a word.
  if (!Buffer.from(text).equals(bytes)) throw new Error(`${file} is no text, and only text is shipped so far.`)
  return text
}

/** Puts the client in place as it was shipped. False where that was made of other sources than these. */
export const takeShipped = async (root: string, client: WebClient): Promise<boolean> => {
  const shipped = readShipped(root)[client.folder]
  if (shipped === undefined || shipped.stamp !== stampOf(root, client)) return false
  await buildClient(root, {
    ...client,
    build: async (_root, into) => {
      for (const [path, text] of Object.entries(shipped.files)) {
        mkdirSync(dirname(join(into, path)), { recursive: true })
        writeFileSync(join(into, path), text)
      }
    },
  })
  return true
}

/** Keeps what is in the clients' `dist`, built again where that is not current, for who starts the server next. */
export const ship = async (root: string, clients: readonly WebClient[]): Promise<void> => {
  for (const client of clients) if (!isCurrent(root, client)) await buildClient(root, client)
  const shipped = clients.map((client): [string, Shipped] => [
    client.folder,
    { stamp: stampOf(root, client), files: builtFiles(join(root, client.folder, 'dist')) },
  ])
  const text = JSON.stringify(Object.fromEntries(shipped))
  const params = {
    [constants.BROTLI_PARAM_LGWIN]: constants.BROTLI_MAX_WINDOW_BITS,
    [constants.BROTLI_PARAM_SIZE_HINT]: text.length,
  }
  writeFileSync(join(root, shippedFile), brotliCompressSync(text, { params }))
}
