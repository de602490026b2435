import { mkdtemp, readFile, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { type Client, createClient } from '@integrity/client/every-endpoint'
import { runCommand } from '../../src/shared/child-process.ts'
import { KillWatch } from './kill-plan.ts'
import { NodeChild } from './node-child.ts'
import { freePort, startTcpProxy, type TcpProxy } from './tcp-proxy.ts'

const adminScript = resolve(import.meta.dirname, '../../../server/src/app/admin.ts')
const serverScript = join(import.meta.dirname, 'server-process.mjs')
const agentScript = join(import.meta.dirname, 'agent-process.ts')

/** Runs an admin command of the server on a data folder. */
export const runAdmin = async (
  env: NodeJS.ProcessEnv,
  ...args: string[]
): Promise<{ code: number | null; text: string }> => {
  const options = { env, timeoutMs: 60_000 }
  const node = ['--disable-warning=ExperimentalWarning', adminScript, ...args]
  const { code, stdout, stderr } = await runCommand(process.execPath, node, options)
  return { code, text: code === 0 ? stdout.toString().trim() : stderr }
}

/** How fast made-up items come, and which share of them (one in so many) are films that travel in parts. */
export interface Pace {
  readonly everyMs: number
  readonly filmOdds: number
  /** Instead: lanes that account for their time, over drivers that begin late and fail now and then. */
  readonly lanes?: 'scripted'
}

/** A server, an agent and the network between them; both ends can be killed and started again on the same data. */
export class World {
  readonly watch: KillWatch
  readonly folder: string
  readonly api: Client
  readonly orgId: string
  readonly #env: NodeJS.ProcessEnv
  readonly #proxy: TcpProxy
  #server: NodeChild | undefined
  #agent: NodeChild | undefined
  sessionId = ''

  private constructor(
    folder: string,
    env: NodeJS.ProcessEnv,
    network: { proxy: TcpProxy; watch: KillWatch },
    org: { orgId: string; key: string },
  ) {
    this.folder = folder
    this.#env = env
    this.#proxy = network.proxy
    this.watch = network.watch
    this.orgId = org.orgId
    this.api = createClient({ baseUrl: `http://127.0.0.1:${env['PORT']}`, token: org.key })
  }

  static async start(): Promise<World> {
    const folder = await mkdtemp(join(tmpdir(), 'kill-'))
    const port = await freePort()
    const env: NodeJS.ProcessEnv = { PATH: process.env['PATH'], HOME: process.env['HOME'], LOG_LEVEL: 'error' }
    // A hundred processes that are killed would each compile the same sources again.
    env['NODE_COMPILE_CACHE'] = process.env['NODE_COMPILE_CACHE'] ?? join(folder, 'compiled')
    Object.assign(env, { DATA_DIR: join(folder, 'server'), PORT: String(port), METRICS_PORT: '0' })
    const login = ['--email', 'owner@example.org', '--password', 'correct horse battery', '--json']
    const { code, text } = await runAdmin(env, 'bootstrap', '--org', 'Kill test', ...login)
    if (code !== 0) throw new Error(text)
    const { orgId, sandboxKey } = JSON.parse(text) as { orgId: string; sandboxKey: string }
    const watch = new KillWatch()
    const proxy = await startTcpProxy(port, watch)
    const world = new World(folder, env, { proxy, watch }, { orgId, key: sandboxKey })
    await world.startServer()
    return world
  }

  async startServer(): Promise<void> {
    this.#server = new NodeChild({ script: serverScript, env: this.#env, logFile: join(this.folder, 'server.log') })
    await this.#server.line('it listened', (line) => line.startsWith('listening'))
  }

  async killServer(): Promise<NodeJS.Signals | null | undefined> {
    return (await this.#server?.kill())?.signal
  }

  /** Makes a session that asks for everything the made-up lanes deliver, and starts the agent in it. */
  async joinAgent(pace: Pace): Promise<NodeChild> {
    const config = { capture: { recording: true }, camera: { clips: true } }
    const { data: session } = await this.api.call('sessions.create', { body: { externalId: 'kill', config } })
    this.sessionId = session.id
    const link = { params: { id: session.id }, body: { role: 'candidate' } } as const
    const { data } = await this.api.call('sessions.joinLinks.create', link)
    return this.startAgent(pace, '--server', this.#proxy.url, '--join', data.joinCode, '--yes-consent')
  }

  /** Starts the agent on the folder of the one before. */
  startAgent(pace: Pace, ...args: string[]): NodeChild {
    this.#agent = new NodeChild({
      script: agentScript,
      args: ['--data', this.agentDir, '--ledger', '--json', '--drain-seconds', '900', ...args],
      env: { ...this.#env, ITEM_EVERY_MS: String(pace.everyMs), FILM_ODDS: String(pace.filmOdds), LANES: pace.lanes },
      logFile: join(this.folder, 'agent.log'),
      onLine: (line) => {
        if (line === '{"type":"captured"}') this.watch.captured()
      },
    })
    return this.#agent
  }

  /** The server itself, without the network between. */
  get serverUrl(): string {
    return `http://127.0.0.1:${this.#env['PORT']}`
  }

  get agentDir(): string {
    return join(this.folder, 'agent')
  }

  async agentLines(name: string): Promise<string[]> {
    return (await readFile(join(this.agentDir, name), 'utf8')).split('\n').filter((line) => line !== '')
  }

  /** What the agents had to say about items that did not go their usual way. */
  async agentReports(): Promise<string[]> {
    const lines = (await readFile(join(this.folder, 'agent.log'), 'utf8')).split('\n')
    return lines.filter((line) => line.startsWith('{"type":"report"') || line.startsWith('{"type":"trouble"'))
  }

  verifyAudit(): Promise<{ code: number | null; text: string }> {
    return runAdmin(this.#env, 'audit', 'verify', '--org', this.orgId)
  }

  async stop(): Promise<void> {
    await this.#agent?.stop()
    await this.#proxy.close()
    await this.#server?.stop()
    await rm(this.folder, { recursive: true, force: true, maxRetries: 3 })
  }
}

export const isRecording = (line: string): boolean => line === '{"type":"phase","phase":"recording"}'
