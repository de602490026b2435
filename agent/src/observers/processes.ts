import { readdir, readFile, readlink } from 'node:fs/promises'
import { basename } from 'node:path'
import systeminformation from 'systeminformation'
import { CATALOGUE_VERSION, matchProcessName, type ProgramKind } from './catalogue.ts'
import { createPollingObserver, keyedDifference } from './polling-observer.ts'
import type { Observer } from './types.ts'

export type ProcessMatch = { program: string; kind: ProgramKind; process: string; catalogueVersion: number }
export type ProcessOptions = { intervalMs?: number; list?: () => Promise<string[][]> }

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

const listLinux = async (): Promise<string[][]> => {
  const folders = (await readdir('/proc')).filter((name) => /^\d+$/.test(name))
  return Promise.all(folders.map((folder) => namesOf(`/proc/${folder}`)))
}

const listOther = async (): Promise<string[][]> => {
  const { list } = await systeminformation.processes()
  return list.map(({ name, path }) => [name, basename(path)].filter((text) => text !== ''))
}

/**
 * Running programs of the published catalogue. All names are compared on this device; only matches leave it, and the
 * names of other programs, arguments and users never do.
 */
export const createProcessesObserver = (options: ProcessOptions = {}): Observer => {
  const linux = process.platform === 'linux'
  const { intervalMs = 15_000, list = linux ? listLinux : listOther } = options
  const read = async (): Promise<Map<string, ProcessMatch>> => {
    const processes = await list()
    if (processes.length === 0) throw new Error('the system lists no process')
    const matches = new Map<string, ProcessMatch>()
    for (const name of processes.flat()) {
      const entry = matchProcessName(name)
      if (!entry || matches.has(entry.program)) continue
      const { program, kind } = entry
      matches.set(program, { program, kind, process: name, catalogueVersion: CATALOGUE_VERSION })
    }
    return matches
  }
  return createPollingObserver({
    name: 'processes',
    version: 1,
    method: linux ? '/proc, compared with the catalogue' : 'systeminformation, compared with the catalogue',
    intervalMs,
    probe: async () => {
      try {
        await read()
        return { status: 'observable' }
      } catch (error) {
        return { status: 'not_observable', why: `processes cannot be listed: ${String(error)}` }
      }
    },
    read,
    initial: (matches) => [...matches.values()].map((value) => ({ kind: 'process.matched', value })),
    changes: (before, now) => {
      const { added, removed } = keyedDifference(before, now)
      return [
        ...added.map((value) => ({ kind: 'process.matched' as const, value })),
        ...removed.map((value) => ({ kind: 'process.ended' as const, value })),
      ]
    },
  })
}
