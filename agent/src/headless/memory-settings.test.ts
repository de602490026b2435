import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { text } from 'node:stream/consumers'
import { fileURLToPath } from 'node:url'
import { describe, expect, it } from 'vitest'
import type { Environment } from '../shared/child-process.ts'

const script = fileURLToPath(new URL('test-support/settled-process.ts', import.meta.url))

const settled = async (env: Environment = {}) => {
  const child = spawn(process.execPath, [script, 'an', 'argument'], {
    env: { ...process.env, ...env },
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  const [said] = await Promise.all([text(child.stdout), once(child, 'exit')])
  return { pid: child.pid, seen: JSON.parse(said) as unknown }
}

describe.skipIf(process.platform !== 'linux')('the memory settings of a process', () => {
  it('are there from its start, in the same process with its arguments, and are not passed on', async () => {
    const { pid, seen } = await settled()
    expect(seen).toEqual({ pid, args: ['an', 'argument'], arenas: 'MALLOC_ARENA_MAX=2', passedOn: null })
  })

  it('are left as whoever started it wants them', async () => {
    const { seen } = await settled({ MALLOC_ARENA_MAX: '7' })
    expect(seen).toMatchObject({ arenas: 'MALLOC_ARENA_MAX=7', passedOn: '7' })
  })
})
