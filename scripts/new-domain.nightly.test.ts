import { spawnSync } from 'node:child_process'
import { existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { copyTree } from './test-run/scratch-tree.ts'

const root = join(import.meta.dirname, '..')

/** The files of the worked example, each named by the first line of its fence. */
const exampleFiles = (): [path: string, text: string][] =>
  [...readFileSync(join(root, 'CONTRIBUTING.md'), 'utf8').matchAll(/^```ts\n\/\/ (\S+)\n(.*?)^```$/gms)].map(
    ([, path = '', text = '']) => [path, text],
  )

describe('a new domain, as CONTRIBUTING shows it', () => {
  const scratch = mkdtempSync(join(tmpdir(), 'new-domain-'))
  const run = (...args: string[]) => {
    const { CI: _, FORCE_COLOR: _color, ...inherited } = process.env
    const env = { ...inherited, NO_COLOR: '1' }
    const done = spawnSync(process.execPath, args, { cwd: scratch, encoding: 'utf8', env })
    return { status: done.status, text: `${done.stdout}${done.stderr}` }
  }

  beforeAll(() => {
    copyTree(scratch)
    for (const [path, text] of exampleFiles()) {
      mkdirSync(dirname(join(scratch, path)), { recursive: true })
      writeFileSync(join(scratch, path), text)
    }
  })
  afterAll(() => rmSync(scratch, { recursive: true, force: true }))

  it('is at most five files by hand, none of which was there before', () => {
    const paths = exampleFiles().map(([path]) => path)
    expect(paths.length).toBeGreaterThan(0)
    expect(paths.length).toBeLessThanOrEqual(5)
    for (const path of paths) expect(existsSync(join(root, path)), path).toBe(false)
  })

  it('is generated, documented, answered and proved by those files alone', { timeout: 300_000 }, () => {
    const generated = run('scripts/generate.ts')
    expect(generated.status, generated.text).toBe(0)
    expect(readFileSync(join(scratch, 'shared-protocol/generated/openapi.json'), 'utf8')).toContain('/v1/api/greeting')
    const proofs = ['every-endpoint', 'credentials'].map((name) => `server/test/invariants/${name}.test.ts`)
    const proved = run('node_modules/vitest/vitest.mjs', 'run', '--project', 'server', '-t', 'greetings.get', ...proofs)
    expect(proved.text).toMatch(/Tests +[1-9]\d* passed/)
    expect(proved.status, proved.text).toBe(0)
  })
})
