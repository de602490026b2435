import { spawn, spawnSync } from 'node:child_process'
import { once } from 'node:events'
import { chownSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import os from 'node:os'
import path from 'node:path'
import pg from 'pg'
import { freePort } from './ports.ts'
import { asRoot, nobody } from './postgres-server.ts'

/** Debian's. */
const program = '/usr/sbin/pgbouncer'
export const hasPgBouncer = spawnSync(program, ['--version']).status === 0

export interface PgBouncer {
  /** The same database by way of it. */
  urlOf(databaseUrl: string): string
  /** What its own database says: `SHOW POOLS` and the like. */
  show(what: string): Promise<readonly Record<string, string>[]>
  stop(): Promise<void>
}

/** A real PgBouncer in transaction mode, with fewer sessions of the server than one process asks for. */
export const startPgBouncer = async (databaseUrl: string, sessions = 4): Promise<PgBouncer> => {
  const folder = mkdtempSync(path.join(os.tmpdir(), 'integrity-pgbouncer-'))
  const port = await freePort()
  const { hostname, port: serverPort, username } = new URL(databaseUrl)
  const file = path.join(folder, 'pgbouncer.ini')
  writeFileSync(
    file,
    `[databases]
* = host=${hostname} port=${serverPort} user=${username}
[pgbouncer]
listen_addr = 127.0.0.1
listen_port = ${port}
unix_socket_dir =
auth_type = any
admin_users = postgres
pool_mode = transaction
default_pool_size = ${sessions}
max_client_conn = 100
`,
  )
  if (asRoot) for (const one of [folder, file]) chownSync(one, nobody, nobody)
  const identity = asRoot ? { uid: nobody, gid: nobody } : {}
  const child = spawn(program, ['-q', file], { ...identity, cwd: folder, stdio: ['ignore', 'ignore', 'pipe'] })
  let log = ''
  child.stderr.setEncoding('utf8').on('data', (text: string) => {
    log = (log + text).slice(-5_000)
  })
  const at = (url: string, database?: string): string => {
    const through = new URL(url)
    through.host = `127.0.0.1:${port}`
    if (database) through.pathname = `/${database}`
    return through.href
  }
  const show = async (what: string) => {
    const client = new pg.Client({ connectionString: at(databaseUrl, 'pgbouncer') })
    await client.connect()
    try {
      const { rows } = await client.query<Record<string, string>>(`SHOW ${what}`)
      return rows
    } finally {
      await client.end()
    }
  }
  const isUp = () =>
    show('VERSION').then(
      () => true,
      () => false,
    )
  while (!(await isUp())) if (child.exitCode !== null) throw new Error(`PgBouncer did not start:\n${log}`)
  return {
    urlOf: (url) => at(url),
    show,
    stop: async () => {
      const ended = once(child, 'exit')
      if (child.exitCode === null) {
        child.kill('SIGKILL')
        await ended
      }
      rmSync(folder, { recursive: true, force: true })
    },
  }
}
