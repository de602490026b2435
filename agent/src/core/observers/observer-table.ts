import type { ObserverName } from '@integrity/protocol'
import { observerTable } from './observer-table.data.ts'
import { observerReasons } from './observer-table.reasons.data.ts'
import type { NotObservable, ObserverEntry, ObserverPlatform, ObserverWay } from './types.ts'

export const observerEntry = (name: ObserverName): ObserverEntry => ({
  ...observerTable[name],
  ...observerReasons[name],
})

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
