import { readdirSync, readFileSync } from 'node:fs'

/** What /proc tells of one process (proc(5), `/proc/pid/stat`). */
interface Status {
  readonly pid: number
  readonly parent: number
  readonly name: string
  /** Its own processor time and that of the children it has waited for, in seconds. */
  readonly cpuSeconds: number
}

/** The kernel counts in ticks of 10 ms (USER_HZ). */
const ticksPerSecond = 100

const statusOf = (pid: number): Status | undefined => {
  try {
    const text = readFileSync(`/proc/${pid}/stat`, 'utf8')
    const name = text.slice(text.indexOf('(') + 1, text.lastIndexOf(')'))
    const fields = text
      .slice(text.lastIndexOf(')') + 2)
      .split(' ')
      .map(Number)
    const [user = 0, system = 0, childrenUser = 0, childrenSystem = 0] = fields.slice(11, 15)
    const ticks = user + system + childrenUser + childrenSystem
    return { pid, parent: fields[1] ?? 0, name, cpuSeconds: ticks / ticksPerSecond }
  } catch {
    return undefined // gone
  }
}

/** A process and everything below it that lives now. */
const tree = (root: number): Status[] => {
  const pids = readdirSync('/proc').filter((name) => /^\d+$/.test(name))
  const all = pids.map((pid) => statusOf(Number(pid))).filter((status) => status !== undefined)
  const found = all.filter(({ pid }) => pid === root)
  for (const above of found) found.push(...all.filter(({ parent }) => parent === above.pid))
  return found
}

/**
 * CPU seconds of a process tree so far. A child that has ended is counted by the parent that waited for it, so the
 * difference of two readings misses nothing that ran between them.
 */
export const treeCpuSeconds = (root: number): number => tree(root).reduce((sum, { cpuSeconds }) => sum + cpuSeconds, 0)

/** The nearest process below `root` whose name fits; undefined when there is none. */
export const nearestBelow = (root: number, name: RegExp): number | undefined =>
  tree(root).find((status) => status.pid !== root && name.test(status.name))?.pid

/** Processor time of each living process, the largest first, for a reader who looks for what is expensive. */
export const treeByProcess = (root: number): readonly Pick<Status, 'pid' | 'name' | 'cpuSeconds'>[] =>
  tree(root).toSorted((a, b) => b.cpuSeconds - a.cpuSeconds)

export interface TreeMemory {
  /** Resident memory of the root alone, MiB. */
  readonly root: number
  /** Of the whole tree, MiB; pages that processes share (program text, libraries) are divided among them (PSS). */
  readonly tree: number
}

const memoryOf = (pid: number, field: 'Rss' | 'Pss'): number => {
  try {
    const text = readFileSync(`/proc/${pid}/smaps_rollup`, 'utf8')
    return Number(new RegExp(`^${field}:\\s+(\\d+)`, 'm').exec(text)?.[1] ?? 0) / 1024
  } catch {
    return 0 // gone
  }
}

export const treeMemory = (root: number): TreeMemory => ({
  root: memoryOf(root, 'Rss'),
  tree: tree(root).reduce((sum, { pid }) => sum + memoryOf(pid, 'Pss'), 0),
})
