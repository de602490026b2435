// What browsers load is made ready, when something it is made of has changed since the last time. `npm start`, `npm run demo`
// and a package of the server begin with this.
import { resolve } from 'node:path'
import { lacksTools } from './bootstrap/main.mjs'
import { allClients, pages } from './clients/all-clients.ts'
import { makeCurrent } from './clients/make-current.ts'

// The phone's export and the library's package take longer and tests make their own: these are made when asked for.
const clients = process.argv.includes('companion') ? allClients : pages
if (!(await makeCurrent(resolve(import.meta.dirname, '..'), clients))) process.exitCode = lacksTools
