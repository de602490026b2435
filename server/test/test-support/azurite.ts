import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { access, mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

/**
 * Azurite brings 382 packages, so it is not among ours. `npm install --ignore-scripts azurite@3.37.0` in a folder of its
 * own and that folder in `AZURITE_DIR` let its tests run.
 */
export const findAzurite = async (): Promise<string | undefined> => {
  const dir = process.env['AZURITE_DIR']
  if (dir === undefined) return undefined
  const program = join(dir, 'node_modules/azurite/dist/src/blob/main.js')
  await access(program)
  return program
}

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
