import { randomBytes } from 'node:crypto'
import pg from 'pg'
import { awake } from '../../awake.ts'

const patienceMs = 2_000

/**
 * Whether what one connection tells (NOTIFY) comes to another that listens: at a pooler in transaction mode LISTEN is answered,
 * and nothing comes. Told by somebody else, as a session hears itself at once.
 */
export const passesWakesOn = async (connectionString: string): Promise<boolean> => {
  const [listens, tells] = [1, 2].map(() => {
    const client = new pg.Client({ connectionString, connectionTimeoutMillis: 5_000 })
    client.on('error', () => undefined)
    return client
  }) as [pg.Client, pg.Client]
  const over = new AbortController()
  try {
    await Promise.all([listens.connect(), tells.connect()])
    const channel = `hearing_${randomBytes(8).toString('hex')}`
    const heard = new Promise<boolean>((resolve) => {
      listens.on('notification', (told) => told.channel === channel && resolve(true))
    })
    await listens.query(`LISTEN ${channel}`)
    await tells.query(`NOTIFY ${channel}`)
    return await Promise.race([heard, awake(patienceMs, over.signal).then(() => false)])
  } finally {
    over.abort()
    await Promise.all([listens, tells].map((client) => client.end().catch(() => undefined)))
  }
}
