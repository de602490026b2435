// Builds what browsers load, when something it is made of has changed since the last time. `npm start`, `npm test` and
// `npm run demo` begin with this.
import { resolve } from 'node:path'
import { withSetupLock } from './bootstrap/setup-lock.mjs'
import { buildClient, isCurrent } from './clients/build-client.ts'
import { clientLibrary } from './clients/client-library.ts'
import { companionWeb } from './clients/companion.ts'
import { roomWeb } from './clients/room-web.ts'

const root = resolve(import.meta.dirname, '..')
// The phone's export and the library's package take longer and tests make their own: these are made when asked for.
const clients = process.argv.includes('companion') ? [roomWeb, companionWeb, clientLibrary] : [roomWeb]

const stale = clients.filter((client) => !isCurrent(root, client))
if (stale.length > 0)
  await withSetupLock(resolve(root, '.setup-lock'), async () => {
    // Another process may have built them while this one waited.
    for (const client of stale.filter((client) => !isCurrent(root, client))) {
      console.error(`Building ${client.folder} (once; again only when it changes).`)
      await buildClient(root, client)
    }
  })
