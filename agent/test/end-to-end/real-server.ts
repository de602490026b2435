import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { type Client, createClient } from '@integrity/client/every-endpoint'
import { NodeChild } from './node-child.ts'
import { freePort } from './tcp-proxy.ts'
import { runAdmin } from './world.ts'

const serverScript = join(import.meta.dirname, 'server-process.mjs')

/** The service in a process of its own, on a data folder that outlives it. */
export interface RealServer {
  readonly url: string
  readonly folder: string
  /** With a key of the organisation that was made. */
  readonly api: Client
  start(): Promise<void>
  /** Asks it to go down, as a new release does. */
  stop(): Promise<void>
  /** Runs an admin command on the same data; throws what it printed when it fails. */
  admin(...args: string[]): Promise<string>
  remove(): Promise<void>
}

export const startRealServer = async (settings: NodeJS.ProcessEnv = {}): Promise<RealServer> => {
  const folder = await mkdtemp(join(tmpdir(), 'real-server-'))
  const port = await freePort()
  const env = {
    PATH: process.env['PATH'],
    HOME: process.env['HOME'],
    NODE_COMPILE_CACHE: process.env['NODE_COMPILE_CACHE'],
    LOG_LEVEL: 'error',
    DATA_DIR: join(folder, 'server'),
    PORT: String(port),
    METRICS_PORT: '0',
    ...settings,
  }
  const url = `http://127.0.0.1:${port}`
  let child: NodeChild | undefined
  const admin = async (...args: string[]): Promise<string> => {
    const { code, text } = await runAdmin(env, ...args)
    if (code !== 0) throw new Error(text)
    return text
  }
  const start = async (): Promise<void> => {
    child = new NodeChild({ script: serverScript, env, logFile: join(folder, 'server.log') })
    await child.line('it listened', (line) => line.startsWith('listening'))
  }
  const stop = async (): Promise<void> => {
    await child?.stop()
    child = undefined
  }
  const login = ['--email', 'owner@example.org', '--password', 'correct horse battery', '--json']
  const { sandboxKey } = JSON.parse(await admin('bootstrap', '--org', 'Test', ...login)) as { sandboxKey: string }
  await start()
  return {
    url,
    folder,
    api: createClient({ baseUrl: url, token: sandboxKey }),
    start,
    stop,
    admin,
    remove: async () => {
      await stop()
      await rm(folder, { recursive: true, force: true, maxRetries: 3 })
    },
  }
}

/** Signs the owner in: a client of the portal, and the cookies that its calls carry. */
export const signInOwner = async ({ url }: RealServer) => {
  const body = JSON.stringify({ email: 'owner@example.org', password: 'correct horse battery' })
  const headers = { 'content-type': 'application/json' }
  const answer = await fetch(`${url}/v1/auth/login`, { method: 'POST', headers, body })
  if (answer.status !== 200) throw new Error(`the owner was not signed in: ${await answer.text()}`)
  const cookies = answer.headers.getSetCookie().map((line) => line.split(';')[0])
  return { portal: createClient({ baseUrl: url }), cookie: cookies.join('; ') }
}
