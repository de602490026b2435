// What browsers load is made ready, when something it is made of has changed since the last time: taken as it was shipped,
// or built. `npm start`, `npm test` and `npm run demo` begin with this.
import { resolve } from 'node:path'
import { lacksTools } from './bootstrap/main.mjs'
import { withSetupLock } from './bootstrap/setup-lock.mjs'
import { readStamp } from './bootstrap/stamp.mjs'
import { allClients } from './clients/all-clients.ts'
import { buildClient, isCurrent } from './clients/build-client.ts'
import { desk } from './clients/desk.ts'
import { roomWeb } from './clients/room-web.ts'
import { takeShipped } from './clients/shipped.ts'

const root = resolve(import.meta.dirname, '..')
// The phone's export and the library's package take longer and tests make their own: these are made when asked for.
const clients = process.argv.includes('companion') ? allClients : [roomWeb, desk]

const stale = () => clients.filter((client) => !isCurrent(root, client))
if (stale().length > 0)
  await withSetupLock(resolve(root, '.setup-lock'), async () => {
    // Another process may have made them while this one waited.
    for (const client of stale()) {
      if (await takeShipped(root, client)) continue
      if (readStamp(root)?.part === 'server') {
        console.error(`${client.folder} has changed since it was built for shipping: its tools are needed.`)
        process.exitCode = lacksTools
        return
      }
      console.error(`Building ${client.folder} (once; again only when it changes).`)
      await buildClient(root, client)
    }
  })
