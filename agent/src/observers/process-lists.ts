import { readdir, readFile, readlink } from 'node:fs/promises'
import { basename } from 'node:path'
import { askCommand } from './ask-command.ts'

/** Every name that each running process goes by. */
export type ProcessList = () => Promise<string[]>

/** A process's own idea of its name (cut at 15 characters), its program file, and the name it was called by. */
const namesOf = async (folder: string): Promise<string[]> => {
  const [comm, exe, commandLine] = await Promise.all([
    readFile(`${folder}/comm`, 'utf8').catch(() => ''),
    readlink(`${folder}/exe`).catch(() => ''),
    readFile(`${folder}/cmdline`, 'utf8').catch(() => ''),
  ])
  const called = commandLine.split('\0')[0] ?? ''
  return [comm.trim(), basename(exe.replace(/ \(deleted\)$/, '')), basename(called)].filter((name) => name !== '')
}

export const listLinuxProcesses: ProcessList = async () => {
  const folders = (await readdir('/proc')).filter((name) => /^\d+$/.test(name))
  return (await Promise.all(folders.map((folder) => namesOf(`/proc/${folder}`)))).flat()
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
