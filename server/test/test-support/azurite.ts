import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { existsSync } from 'node:fs'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'

const main = fileURLToPath(new URL('../azurite/node_modules/azurite/dist/src/blob/main.js', import.meta.url))

/** Where it is when `npm test` has installed it (scripts/test-run/test-tools.ts). */
export const azuriteProgram = existsSync(main) ? main : undefined

export interface Azurite {
  readonly endpoint: string
  readonly account: string
  readonly key: string
  stop(): Promise<void>
}

/** The account that its makers publish for it. */
const account = 'devstoreaccount1'
const key = 'Eby8vdM02xNOcqFlqUwJPLlmEtlCDXJ1OUzFT50uSRZ6IFsuFq2UVErCz4I6tq/K1SZFPTOtr/KBHBeksoGMGw=='

export const startAzurite = async (program: string): Promise<Azurite> => {
  const dir = await mkdtemp(join(tmpdir(), 'azurite-'))
  const options = ['--blobHost', '127.0.0.1', '--blobPort', '0', '--location', dir, '--disableTelemetry']
  const child = spawn(process.execPath, [program, ...options, '--skipApiVersionCheck'], {
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  // Read on to the end: a log that nobody reads would stop it.
  const port = await new Promise<string>((resolve, reject) => {
    child.on('error', reject).on('exit', () => reject(new Error('Azurite ended')))
    child.stdout.on('data', (chunk: Buffer) => {
      const found = /listens on http:\/\/127\.0\.0\.1:(\d+)/.exec(chunk.toString('utf8'))?.[1]
      if (found !== undefined) resolve(found)
    })
  })
  return {
    endpoint: `http://127.0.0.1:${port}/${account}`,
    account,
    key,
    stop: async () => {
      const ended = once(child, 'exit')
      child.kill('SIGKILL')
      await ended
      await rm(dir, { recursive: true, force: true, maxRetries: 5 })
    },
  }
}
