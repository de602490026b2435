import { join, resolve } from 'node:path'
import { describe, expect, it } from 'vitest'
import { runProgram } from './run-program.ts'

const root = resolve(import.meta.dirname, '..')
const run = (...filters: string[]) =>
  runProgram(process.execPath, [join(root, 'scripts/test.ts'), ...filters], {
    cwd: root,
    env: { ...process.env, NO_COLOR: '1' },
  })

describe('npm test', () => {
  it('runs the tests of a path and ends with their count alone on a line', async () => {
    const { code, output } = await run('scripts/test-run/count-results.test.ts')
    expect(output.trimEnd().split('\n').at(-1)).toMatch(/^[1-9]\d* passed, 0 failed$/)
    expect(code).toBe(0)
  })

  it('fails when nothing matches', async () => {
    const { code, output } = await run('no/such/test.ts')
    expect(output.trimEnd().split('\n').at(-1)).toBe('0 passed, 1 failed')
    expect(code).toBe(1)
  })
})
