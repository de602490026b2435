import { createHash } from 'node:crypto'
import { existsSync, mkdirSync, readdirSync, readFileSync, renameSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'

/** The package manager that wrote the lockfile. Pinned: another one may lay node_modules out differently. */
export const pnpmVersion = '12.21.0'

/** How much of the lockfile: what the server runs with, or everything. @typedef {'server' | 'all'} Part */

/**
 * @typedef {object} Stamp
 * @property {string} stamp what was installed, as {@link treeStamp} saw it
 * @property {string} node the program that runs the commands
 * @property {Part} part how much was installed
 */

/**
 * SHA-256 over everything that decides what an install puts on disk. Equal stamps need no install.
 * @param {string} root
 * @returns {string} hex
 */
export const treeStamp = (root) => {
  const hash = createHash('sha256')
  hash.update(JSON.stringify(['pnpm', pnpmVersion, process.platform, process.arch]))
  for (const file of installInputs(root)) hash.update(JSON.stringify([file, readFileSync(join(root, file), 'utf8')]))
  return hash.digest('hex')
}

/** @param {string} root */
const installInputs = (root) => {
  const packages = readdirSync(root, { withFileTypes: true })
    .filter((entry) => entry.isDirectory() && entry.name !== 'node_modules')
    .map((entry) => `${entry.name}/package.json`)
  return ['pnpm-lock.yaml', 'pnpm-workspace.yaml', '.pnpmfile.cjs', 'package.json', ...packages.sort()].filter((file) =>
    existsSync(join(root, file)),
  )
}

// Inside node_modules, so that deleting that folder forgets the install too.
/** @param {string} root */
const stampFile = (root) => join(root, 'node_modules', '.setup-stamp.json')

/**
 * @param {string} root
 * @returns {Stamp | undefined} nothing when there was no install or the note is unreadable
 */
export const readStamp = (root) => {
  try {
    const read = JSON.parse(readFileSync(stampFile(root), 'utf8'))
    if (typeof read.stamp !== 'string' || typeof read.node !== 'string') return undefined
    return { ...read, part: read.part === 'server' ? 'server' : 'all' }
  } catch {
    return undefined
  }
}

/** @param {string} root @param {Stamp} stamp */
export const writeStamp = (root, stamp) => {
  const file = stampFile(root)
  mkdirSync(join(root, 'node_modules'), { recursive: true })
  writeFileSync(`${file}.${process.pid}`, `${JSON.stringify(stamp)}\n`)
  renameSync(`${file}.${process.pid}`, file)
}
