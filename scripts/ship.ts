// Keeps what browsers load, built, in the tree: `npm run ship`, before a change of it is published. A start then takes
// it as it is and needs no tools.
import { resolve } from 'node:path'
import { allClients } from './clients/all-clients.ts'
import { ship } from './clients/shipped.ts'

await ship(resolve(import.meta.dirname, '..'), allClients)
