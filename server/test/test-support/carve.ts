import { readFile } from 'node:fs/promises'
import pg from 'pg'
import { filesBelow } from './capture-session.ts'

/** Where a thief looks: each answers whether the text lies anywhere in it. */
export type Carve = (text: string) => Promise<boolean>

const carveFiles =
  (folder: string): Carve =>
  async (text) => {
    for (const file of await filesBelow(folder)) if ((await readFile(file)).includes(text)) return true
    return false
  }

/** The files of the tables of the database, and the write-ahead log, looked at by the server whose files they are. */
const carvePostgres =
  (client: pg.Client): Carve =>
  async (text) => {
    await client.query('CHECKPOINT')
    const { rows } = await client.query<{ found: boolean }>(
      `SELECT bool_or(position($1::bytea IN pg_read_binary_file(path, true)) > 0) AS found FROM (
         SELECT pg_relation_filepath(oid) AS path FROM pg_class
         WHERE relkind IN ('r', 't', 'i') AND (relnamespace = 'public'::regnamespace OR relname = 'pg_statistic')
         UNION ALL SELECT 'pg_wal/' || name FROM pg_ls_waldir()) AS files WHERE path IS NOT NULL`,
      [Buffer.from(text)],
    )
    return rows[0]?.found === true
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
  async (text) =>
    (await carveFiles(dataDir)(text)) || (client ? carvePostgres(client)(text) : false)
