import pg from 'pg'
import type { Pulse } from '../../pulse.ts'
import { cutConnection } from './postgres.pulse.ts'

/**
 * How many dead rows `VACUUM (FULL, VERBOSE)` wrote again, since a transaction that began before they died could still read them.
 * Its notice says so in the language of the server, with the number first.
 */
const keptRows = ({ detail }: Pick<pg.DatabaseError, 'detail'>): number => Number(/^\d+/.exec(detail ?? '')?.[0] ?? 0)

/**
 * Writes tables again without their dead rows, on a connection of its own: their old files go with the next checkpoint. Whoever
 * waits for one of them waits no longer than the timeout of the lock.
 * @throws when a table still holds dead rows, for a backup, the planner's analysis or anybody else who began before they died
 */
export const scrubTables = (connectionString: string, pulse: Pulse, tables: readonly string[]): Promise<void> =>
  pulse.during(async ({ onBreak }) => {
    const client = new pg.Client({ connectionString, keepAlive: true })
    let kept = 0
    client.on('error', () => undefined)
    client.on('notice', (notice) => {
      kept += keptRows(notice)
    })
    onBreak(() => cutConnection(client))
    try {
      await client.connect()
      await client.query('SET lock_timeout = 2000')
      await client.query('SET statement_timeout = 0')
      for (const table of tables) {
        await client.query(`VACUUM (FULL, VERBOSE) ${table}`)
        if (kept > 0)
          throw new Error(
            `the file of ${table} still holds dead rows (${kept}): a transaction that began before they died is open`,
          )
      }
    } finally {
      await client.end().catch(() => undefined)
    }
  })
