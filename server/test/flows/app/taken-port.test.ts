import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtemp, rm } from 'node:fs/promises'
import { createServer } from 'node:net'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { text } from 'node:stream/consumers'
import { describe, expect, it } from 'vitest'

const main = resolve(import.meta.dirname, '../../../src/main.ts')

/** What the server says, and how it ends, when it cannot have this port. */
const startOn = async (setting: 'PORT' | 'METRICS_PORT') => {
  const taken = createServer().listen(0, '127.0.0.1')
  await once(taken, 'listening')
  const { port } = taken.address() as { port: number }
  const dataDir = await mkdtemp(join(tmpdir(), 'taken-port-'))
  try {
    const ports = { PORT: '0', METRICS_PORT: '0', [setting]: String(port) }
    const env = { PATH: process.env['PATH'], DATA_DIR: dataDir, HOST: '127.0.0.1', LOG_LEVEL: 'fatal', ...ports }
    const child = spawn(process.execPath, ['--disable-warning=ExperimentalWarning', main], { env })
    const [said, [code]] = await Promise.all([text(child.stderr), once(child, 'close') as Promise<[number]>])
    return { port, code, said }
  } finally {
    taken.close()
    await rm(dataDir, { recursive: true, force: true })
  }
}

describe.each(['PORT', 'METRICS_PORT'] as const)('a server whose %s is taken', (setting) => {
  it('says so in a sentence that names the setting, and ends', async () => {
    const { port, code, said } = await startOn(setting)
    expect(code).toBe(1)
    expect(said.trim()).toBe(
      `Port ${port} is taken by another program: end that one, or set ${setting} to another one.`,
    )
  })
})
