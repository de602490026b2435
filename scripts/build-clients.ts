// What browsers load is made ready, when something it is made of has changed since the last time. `npm start`, `npm run demo`
// and a package of the server begin with this.
import { resolve } from 'node:path'
import { lacksTools } from './bootstrap/main.mjs'
import { allClients, pages } from './clients/all-clients.ts'
import { makeCurrent } from './clients/make-current.ts'

// `companion`: also what takes longer.
const clients = process.argv.includes('companion') ? allClients : pages
if (!(await makeCurrent(resolve(import.meta.dirname, '..'), clients))) process.exitCode = lacksTools
