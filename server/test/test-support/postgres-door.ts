import net from 'node:net'
import { text } from 'node:stream/consumers'
import { inject } from 'vitest'

declare module 'vitest' {
  export interface ProvidedContext {
    /** The port of this machine on which the run says where its Postgres is, and starts it for who asks first; null without binaries for it. */
    postgresDoor: number | null
  }
}

/** The database with every table and no row, to be copied: migrating takes ten times as long. */
export const migratedPostgres = 'migrated'

let asked: Promise<string> | undefined

const ask = async (): Promise<string> => {
  const port = inject('postgresDoor')
  if (port === null) throw new Error('this run has no Postgres')
  const url = await text(net.connect(port, '127.0.0.1'))
  if (url === '') throw new Error('Postgres did not start: the run says why')
  return url
}

/** Where the run's Postgres can be administered. The first one who asks waits for its start. */
export const postgresUrl = (): Promise<string> => {
  asked ??= ask()
  return asked
}
