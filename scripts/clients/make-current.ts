import { join } from 'node:path'
import { withSetupLock } from '../bootstrap/setup-lock.mjs'
import { readStamp } from '../bootstrap/stamp.mjs'
import { buildClient, isCurrent, type WebClient } from './build-client.ts'
import { takeShipped } from './shipped.ts'

/**
 * Makes the clients whose sources have changed since the last time: as they were shipped, or built.
 * @returns whether all are current; false where one has to be built and the tools for it are not installed
 */
export const makeCurrent = async (root: string, clients: readonly WebClient[]): Promise<boolean> => {
  const stale = () => clients.filter((client) => !isCurrent(root, client))
  if (stale().length === 0) return true
  return withSetupLock(join(root, '.setup-lock'), async () => {
    // Another process may have made them while this one waited.
    for (const client of stale()) {
      if (await takeShipped(root, client)) continue
      if (readStamp(root)?.part === 'server') {
        console.error(`${client.folder} has changed since it was built for shipping: its tools are needed.`)
        return false
      }
      console.error(`Building ${client.folder} (once; again only when it changes).`)
      await buildClient(root, client)
    }
    return true
  })
}
