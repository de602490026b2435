import { createRequire } from 'node:module'
import type { Knex } from 'knex'

const require = createRequire(import.meta.url)

/** Without a connection. Loaded by migrations alone: a database that is up to date needs none of its hundreds of modules. */
export const newKnex = (config: Knex.Config): Knex => (require('knex') as typeof import('knex')).knex(config)
