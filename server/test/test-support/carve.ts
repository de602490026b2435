import { readFile } from 'node:fs/promises'
import pg from 'pg'
import { expect, vi } from 'vitest'
import { filesBelow } from './capture-session.ts'

/**
 * Until no transaction of this database is open that began before this call: one that can still see what was deleted, as when
 * the planner's statistics are brought up to date by itself, keeps it in the file through every `VACUUM`.
 */
export const olderTransactionsOver = async (client: pg.Client): Promise<void> => {
  const { rows } = await client.query<{ now: string }>('SELECT clock_timestamp()::text AS now')
  await vi.waitFor(
    async () => {
      const open = await client.query<{ query: string }>(
        `SELECT query FROM pg_stat_activity
         WHERE datname = current_database() AND pid <> pg_backend_pid() AND xact_start < $1::timestamptz`,
        [rows[0]!.now],
      )
      expect(open.rows).toEqual([])
    },
    { timeout: 60_000, interval: 20 },
  )
}

/** Where a thief looks: each answers with the files in which the text lies. */
export type Carve = (text: string) => Promise<readonly string[]>

const carveFiles =
  (folder: string): Carve =>
  async (text) => {
    const holding: string[] = []
    for (const file of await filesBelow(folder)) if ((await readFile(file)).includes(text)) holding.push(file)
    return holding
  }

/** The files of the tables of the database, and the write-ahead log, looked at by the server whose files they are. */
const carvePostgres =
  (client: pg.Client): Carve =>
  async (text) => {
    await client.query('CHECKPOINT')
    const { rows } = await client.query<{ file: string }>(
      `SELECT name || ': ' || path AS file FROM (
         SELECT relname AS name, pg_relation_filepath(oid) AS path FROM pg_class
         WHERE relkind IN ('r', 't', 'i') AND (relnamespace = 'public'::regnamespace OR relname = 'pg_statistic')
         UNION ALL SELECT 'log', 'pg_wal/' || name FROM pg_ls_waldir()) AS files
       WHERE path IS NOT NULL AND position($1::bytea IN pg_read_binary_file(path, true)) > 0`,
      [Buffer.from(text)],
    )
    return rows.map(({ file }) => file)
  }

/** Of a Postgres whose files are looked at. */
export const connectCarver = async (databaseUrl: string): Promise<pg.Client> => {
  const client = new pg.Client({ connectionString: databaseUrl })
  await client.connect()
  // As docs/proof.md asks: a segment of the log that is over is deleted, not used again with its old words in it.
  await client.query('ALTER SYSTEM SET wal_recycle = off')
  await client.query('SELECT pg_reload_conf()')
  return client
}

/** The data folder with the store and the database in it, and Postgres where it is one. */
export const carveAll =
  (dataDir: string, client: pg.Client | undefined): Carve =>
  async (text) => [...(await carveFiles(dataDir)(text)), ...(client ? await carvePostgres(client)(text) : [])]
