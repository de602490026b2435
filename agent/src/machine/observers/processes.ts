import type { ObservationValue } from '@integrity/protocol'
import { catalogueVersion, matchProcessName } from '../../core/observers/catalogue.ts'
import { wayOf } from '../../core/observers/observer-table.ts'
import {
  createSampledObserver,
  keyedDifference,
  polled,
  probeByReading,
} from '../../core/observers/sampled-observer.ts'
import { type Observer, thisPlatform } from '../../core/observers/types.ts'
import { helperFed } from './helper-fed.ts'
import type { ObserverOptions } from './observer-options.ts'
import { createLinuxProcessList, listMacosProcesses, type ProcessList } from './process-lists.ts'

export type ProcessMatch = ObservationValue<'process.matched'>
type Matches = Map<string, ProcessMatch>

/** The programs of the catalogue among these process names, each once. @throws Error for an empty list: something always runs */
export const matchProcesses = (names: readonly string[]): Matches => {
  if (names.length === 0) throw new Error('the system lists no process')
  const matches: Matches = new Map()
  for (const name of names) {
    const entry = matchProcessName(name)
    if (!entry || matches.has(entry.program)) continue
    const { program, kind } = entry
    matches.set(program, { program, kind, process: name, catalogueVersion: catalogueVersion })
  }
  return matches
}

export type ProcessOptions = ObserverOptions & { list?: ProcessList }

const notTold = 'Running programs cannot be compared with the published list: the system does not list them.'

/**
 * Running programs of the published catalogue. All names are compared on this device; only matches leave it, and the
 * names of other programs, arguments and users never do.
 */
export const createProcessesObserver = (options: ProcessOptions = {}): Observer => {
  const { clock, helper, root = '', platform = thisPlatform() } = options
  const list = options.list ?? (platform === 'darwin' ? listMacosProcesses : createLinuxProcessList(`${root}/proc`))
  const way = wayOf('processes', platform)
  const read = async (): Promise<Matches> => matchProcesses(await list())
  const asked = {
    probe: probeByReading(read, notTold),
    source: polled(read, options.intervalMs ?? way.intervalMs, clock),
  }
  const byHelper = platform === 'win32' && options.list === undefined
  return createSampledObserver<Matches>({
    name: 'processes',
    version: 2,
    way,
    intervalMs: options.intervalMs,
    clock,
    ...(byHelper ? helperFed(helper, 'processes', notTold, ({ names }) => matchProcesses(names)) : asked),
    initial: (matches) => [...matches.values()].map((value) => ({ kind: 'process.matched', value })),
    baseline: (matches) => [...matches.keys()],
    changes: (before, now) => {
      const { added, removed } = keyedDifference(before, now)
      return [
        ...added.map((value) => ({ kind: 'process.matched' as const, value })),
        ...removed.map((value) => ({ kind: 'process.ended' as const, value })),
      ]
    },
  })
}
