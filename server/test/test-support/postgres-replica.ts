import { execFileSync } from 'node:child_process'
import { appendFileSync, chownSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import os from 'node:os'
import path from 'node:path'
import pg from 'pg'
import { administer } from './create-database.ts'
import { asRoot, nobody, type PostgresServer, postgresBinaries, runPostgres, startPostgres } from './postgres-server.ts'
import { postgresTemplate } from './postgres-template.ts'

export interface PostgresReplica {
  /** The same database there. */
  urlOf(databaseUrl: string): string
  /** Goes on receiving the log and replays none of it. */
  pause(): Promise<void>
  resume(): Promise<void>
  /** Resolves when it has what the primary had when this was called. */
  caughtUp(): Promise<void>
  /** As a machine that is gone. */
  kill(): Promise<void>
  stop(): Promise<void>
}

const ask = async <Row extends pg.QueryResultRow>(client: pg.Client, sql: string): Promise<Row> =>
  (await client.query<Row>(sql)).rows[0] as Row

/** The files of a running cluster, as `pg_basebackup` takes them: its own program is not among the binaries of the tests. */
const copyRunning = async (primaryUrl: string, data: string): Promise<void> => {
  const client = new pg.Client({ connectionString: primaryUrl })
  await client.connect()
  try {
    const { data_directory } = await ask<{ data_directory: string }>(client, 'SHOW data_directory')
    await client.query("SELECT pg_backup_start('replica', true)")
    // A file may go while it is copied; the log says so.
    execFileSync('sh', ['-c', 'cp -a "$1" "$2" 2>/dev/null || true', 'sh', data_directory, data])
    const { labelfile } = await ask<{ labelfile: string }>(client, 'SELECT * FROM pg_backup_stop(false)')
    rmSync(path.join(data, 'postmaster.pid'), { force: true })
    writeFileSync(path.join(data, 'backup_label'), labelfile)
    writeFileSync(path.join(data, 'standby.signal'), '')
    const { hostname, port } = new URL(primaryUrl)
    const follows = `primary_conninfo = 'host=${hostname} port=${port} user=postgres'\nwal_receiver_status_interval = 1\n`
    appendFileSync(path.join(data, 'postgresql.auto.conf'), follows)
    if (asRoot) for (const name of ['backup_label', 'standby.signal']) chownSync(path.join(data, name), nobody, nobody)
  } finally {
    await client.end()
  }
}

const binaries = (): string => {
  const native = postgresBinaries()
  if (native === undefined) throw new Error('this run has no Postgres')
  return native
}

/** A Postgres of a suite's own to be followed: a checkpoint of another suite takes away the log that a replica is still to receive. */
export const startPrimary = async (): Promise<PostgresServer> => {
  const native = binaries()
  return startPostgres(native, { template: await postgresTemplate(native) })
}

/** A real streaming replica of {@link startPrimary}. */
export const startReplica = async (primaryUrl: string): Promise<PostgresReplica> => {
  const native = binaries()
  const folder = mkdtempSync(path.join(os.tmpdir(), 'integrity-replica-'))
  if (asRoot) chownSync(folder, nobody, nobody)
  const data = path.join(folder, 'data')
  await copyRunning(primaryUrl, data)
  const home = { native: asRoot ? path.join(await postgresTemplate(native), 'native') : native, data }
  const remove = () => rmSync(folder, { recursive: true, force: true })
  const server = await runPostgres(home, { folder, fsync: false, remove })
  const { host } = new URL(server.url)
  const caughtUp = async () => {
    const [primary, replica] = [primaryUrl, server.url].map((connectionString) => new pg.Client({ connectionString }))
    await Promise.all([primary!.connect(), replica!.connect()])
    const { lsn } = await ask<{ lsn: string }>(primary!, 'SELECT pg_current_wal_flush_lsn()::text AS lsn')
    const isThere = `SELECT pg_last_wal_replay_lsn() >= '${lsn}' AS is`
    while (!(await ask<{ is: boolean }>(replica!, isThere)).is) await ask(replica!, 'SELECT pg_sleep(0.01)')
    await Promise.all([primary!.end(), replica!.end()])
  }
  return {
    urlOf: (databaseUrl) => {
      const url = new URL(databaseUrl)
      url.host = host
      return url.href
    },
    pause: () => administer(server.url, 'SELECT pg_wal_replay_pause()'),
    resume: () => administer(server.url, 'SELECT pg_wal_replay_resume()'),
    caughtUp,
    kill: async () => {
      process.kill(server.pid, 'SIGKILL')
      await server.stop()
    },
    stop: () => server.stop(),
  }
}
