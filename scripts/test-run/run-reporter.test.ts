import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { runProgram } from '../run-program.ts'

const root = resolve(import.meta.dirname, '../..')
const vitest = join(root, 'node_modules/vitest/vitest.mjs')
const reporter = join(import.meta.dirname, 'run-reporter.ts')

describe('a test that is tried again', () => {
  let folder: string
  beforeAll(async () => {
    folder = await mkdtemp(join(tmpdir(), 'second-try-'))
    await writeFile(join(folder, 'vitest.config.mjs'), 'export default { test: { globals: true } }\n')
    await writeFile(
      join(folder, 'shaky.test.js'),
      `let runs = 0
      describe('a group', () => {
        it('is shaky', () => expect(++runs).toBe(2))
        it('is sound', () => expect(1).toBe(1))
        it('is broken', () => expect(1).toBe(2))
      })\n`,
    )
  })
  afterAll(() => rm(folder, { recursive: true, force: true }))

  it('is named when it then passed, and nothing else is', async () => {
    const args = ['run', '--root', folder, '--retry=1', `--reporter=${reporter}`]
    const { code, output } = await runProgram(process.execPath, [vitest, ...args], { cwd: folder })
    expect(output.trim().split('\n')).toEqual(['PASSED ONLY AT A SECOND TRY: shaky.test.js > a group > is shaky'])
    expect(code).toBe(1)
  })
})
