import { readdirSync, readFileSync, readlinkSync } from 'node:fs'
import { basename } from 'node:path'
import { askCommand } from './ask-command.ts'

/** Every name that each running process goes by. */
export type ProcessList = () => Promise<string[]>

/** How often a process whose own name stays is looked at whole: each this many looks. */
const wholeEvery = 4

const readOr = (read: () => string): string => {
  try {
    return read()
  } catch {
    return '' // gone, or not ours to read
  }
}

/** A process's program file, and the name it was called by. */
const callNames = (folder: string): string[] => {
  const exe = readOr(() => readlinkSync(`${folder}/exe`))
  const called = readOr(() => readFileSync(`${folder}/cmdline`, 'utf8')).split('\0')[0] ?? ''
  return [basename(exe.replace(/ \(deleted\)$/, '')), basename(called)]
}

/**
 * Lists what runs on Linux. A process's own idea of its name (cut at 15 characters) is read at each look; the other names
 * only when it is new, for a program that is started in its place changes it too. Reads of /proc are answered from memory:
 * waiting for another thread to make them costs ten times what they do.
 */
export const createLinuxProcessList = (root = '/proc'): ProcessList => {
  let known = new Map<string, { own: string; names: string[] }>()
  let looks = 0
  return async () => {
    const before = looks % wholeEvery === 0 ? new Map<string, { own: string; names: string[] }>() : known
    looks += 1
    known = new Map()
    for (const pid of readdirSync(root)) {
      if (!/^\d+$/.test(pid)) continue
      const folder = `${root}/${pid}`
      const own = readOr(() => readFileSync(`${folder}/comm`, 'utf8')).trim()
      const seen = before.get(pid)
      const names = seen?.own === own ? seen.names : [own, ...callNames(folder)].filter((name) => name !== '')
      known.set(pid, { own, names })
    }
    return [...known.values()].flatMap(({ names }) => names)
  }
}

/**
 * The names in the answer of `ps -axo comm=` on macOS: one program a line, by its whole path, which may hold blanks
 * (`/Applications/Zoom.us.app/Contents/MacOS/zoom.us`, `(zsh)` for one that has ended).
 */
export const parsePsNames = (text: string): string[] =>
  text
    .split('\n')
    .map((line) => line.trim().replace(/^\((.*)\)$/, '$1'))
    .map((path) => path.slice(path.lastIndexOf('/') + 1))
    .filter((name) => name !== '')

export const listMacosProcesses: ProcessList = async () => parsePsNames(await askCommand('/bin/ps', ['-axo', 'comm=']))
