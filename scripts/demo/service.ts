import { join, resolve } from 'node:path'
import { NodeChild } from '../../agent/test/end-to-end/node-child.ts'
import { freePort } from '../../agent/test/end-to-end/tcp-proxy.ts'
import { type Client, createClient } from '../../shared-protocol/client/src/every-endpoint.ts'
import { runProgram } from '../run-program.ts'
import type { Cleanup } from './cleanup.ts'
import { DemoFailure, say } from './say.ts'

const serverFolder = resolve(import.meta.dirname, '../../server/src')

export interface DemoService {
  readonly port: number
  readonly url: string
  readonly orgId: string
  /** The integrator: the typed client with the sandbox key. */
  readonly api: Client
  /** Who signs in to look at it. */
  readonly owner: { readonly email: string; readonly password: string }
  /** Runs an admin command on the demo's data. */
  admin(...args: string[]): Promise<string>
}

const ownSettings = ['DATABASE_URL', 'REDIS_URL', 'SMTP_URL', 'MASTER_KEY', 'BASE_URL', 'HOST']

/** The server of this tree in a process of its own, with SQLite and files under `folder`, and an organisation in it. */
export const startDemoService = async (folder: string, cleanup: Cleanup): Promise<DemoService> => {
  const port = await freePort()
  const settings = { DATA_DIR: join(folder, 'server'), PORT: String(port), METRICS_PORT: '0', LOG_LEVEL: 'warn' }
  // Settings meant for a real server must not lead the demo into that one's data.
  const unset = Object.fromEntries(ownSettings.map((name) => [name, undefined]))
  const env = { ...process.env, ...unset, ...settings }
  const admin = async (...args: string[]): Promise<string> => {
    const { code, output } = await runProgram(process.execPath, [join(serverFolder, 'app/admin.ts'), ...args], { env })
    if (code !== 0) throw new DemoFailure(`admin ${args[0]} ${args[1]}: ${output}`)
    return output.trim()
  }
  const owner = { email: 'owner@demo.example', password: 'amber kettle walks home' }
  const login = ['--email', owner.email, '--password', owner.password, '--json']
  const made = JSON.parse(await admin('bootstrap', '--org', 'Demo', ...login)) as { orgId: string; sandboxKey: string }
  const server = new NodeChild({ script: join(serverFolder, 'main.ts'), env, logFile: join(folder, 'server.log') })
  cleanup.add(() => server.stop())
  await server.line('it listened', (line) => line.startsWith('The service listens'))
  const url = `http://127.0.0.1:${port}`
  say(`The server listens on ${url} with an organisation of its own; its log is ${join(folder, 'server.log')}.`)
  return { port, url, orgId: made.orgId, api: createClient({ baseUrl: url, token: made.sandboxKey }), owner, admin }
}
