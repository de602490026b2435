import type { ObserverName } from '@integrity/protocol'
import { observerTable } from './observer-table.data.ts'
import type { ObserverPlatform } from './types.ts'

/** How an observer looks on one system. */
export interface ObserverWay {
  /** The program, file or call. Sent with every observation. */
  method: string
  /** Milliseconds between two looks; 0 when it is told of every change. */
  intervalMs: number
  /** What looking costs this computer. */
  cost: string
  /** What it cannot see. */
  blind: string
}

/** Why an observer sees nothing on a system; a sentence for the candidate. */
export interface NotObservable {
  why: string
}

export interface ObserverEntry {
  /** What it reads, in plain words. */
  reads: string
  /** With the desktop application, where it is told more than a plain program is; on these systems. */
  shell?: ObserverWay & { on: readonly ObserverPlatform[] }
  linux: ObserverWay | NotObservable
  darwin: ObserverWay | NotObservable
  win32: ObserverWay | NotObservable
}

export const observerEntry = (name: ObserverName): ObserverEntry => observerTable[name]

/** Whether the desktop application feeds this observer on this system. */
const isFedByShell = (name: ObserverName, platform: ObserverPlatform): boolean =>
  observerEntry(name).shell?.on.includes(platform) ?? false

/** How an observer looks on a system, or why it cannot. */
export const findWay = (
  name: ObserverName,
  platform: ObserverPlatform,
  shell: boolean,
): ObserverWay | NotObservable => {
  const entry = observerEntry(name)
  return shell && isFedByShell(name, platform) && entry.shell ? entry.shell : entry[platform]
}

/** As `findWay`, where the table has a way. @throws Error where it has none */
export const wayOf = (name: ObserverName, platform: ObserverPlatform, shell = false): ObserverWay => {
  const way = findWay(name, platform, shell)
  if ('why' in way) throw new Error(`${name} has no way on ${platform}`)
  return way
}
