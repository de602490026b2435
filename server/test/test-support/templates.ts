import { createHash } from 'node:crypto'
import {
  existsSync,
  lstatSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  utimesSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'

/**
 * What takes a second to make and is the same for each run, kept between runs: a migrated database of each engine. It lies
 * outside of the tree, where the account that Postgres runs as can read it, and goes by a hash of what it is made of.
 */
const folder = path.join(
  process.platform === 'win32' ? tmpdir() : '/tmp',
  `integrity-test-templates-${process.getuid?.() ?? 0}`,
)
const sources = ['migrations', 'platform/db'].map((name) => path.resolve(import.meta.dirname, '../../src', name))

let key: string | undefined

/** Of the migrations with what runs them, of this version of Node, and of the month, for which some make tables. */
const templateKey = (): string => {
  if (key !== undefined) return key
  const hash = createHash('sha256').update(process.version).update(new Date().toISOString().slice(0, 7))
  for (const source of sources)
    for (const name of readdirSync(source).sort())
      if (name.endsWith('.ts') && !name.includes('.test'))
        hash.update(name).update(readFileSync(path.join(source, name)))
  key = hash.digest('hex').slice(0, 16)
  return key
}

const isOurs = (place: string): boolean => {
  const found = lstatSync(place)
  return found.isDirectory() && found.uid === (process.getuid?.() ?? found.uid)
}

const keptMs = 3 * 86_400_000

const removeUnused = (): void => {
  for (const entry of readdirSync(folder).map((name) => path.join(folder, name))) {
    const found = lstatSync(entry, { throwIfNoEntry: false })
    if (found && found.mtimeMs < Date.now() - keptMs) rmSync(entry, { recursive: true, force: true })
  }
}

/**
 * The folder of a template, made by `fill` where there is none yet. Runs beside each other make it each for itself, and the
 * first one wins. What no run has used for days is removed: another branch's tests may be running beside this one's.
 */
export const templateFolder = async (name: string, fill: (empty: string) => Promise<void>): Promise<string> => {
  const place = path.join(folder, `${name}-${templateKey()}`)
  mkdirSync(folder, { recursive: true, mode: 0o755 })
  if (!isOurs(folder)) throw new Error(`${folder} belongs to somebody else: remove it`)
  if (existsSync(place)) {
    utimesSync(place, new Date(), new Date())
    return place
  }
  const made = mkdtempSync(path.join(folder, 'making-'))
  await fill(made)
  try {
    renameSync(made, place)
  } catch (problem) {
    rmSync(made, { recursive: true, force: true })
    if (!existsSync(place)) throw problem
  }
  removeUnused()
  return place
}
