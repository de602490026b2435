import { mkdtemp, readFile, realpath, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { runProgram } from '../run-program.ts'
import type { RunNotes } from './run-reporter.ts'

const root = resolve(import.meta.dirname, '../..')
const vitest = join(root, 'node_modules/vitest/vitest.mjs')
const reporter = join(import.meta.dirname, 'run-reporter.ts')

describe("a run's notes", () => {
  let folder: string
  beforeAll(async () => {
    folder = await mkdtemp(join(tmpdir(), 'run-notes-'))
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
    await writeFile(
      join(folder, 'careless.test.js'),
      `it('leaves something behind', async () => {
        setTimeout(() => { throw new Error('nobody listened\\nat all') })
        await new Promise((resolve) => setTimeout(resolve, 50))
      })\n`,
    )
  })
  afterAll(() => rm(folder, { recursive: true, force: true }))

  const run = async (file: string) => {
    const notes = join(folder, `${file}.json`)
    const args = [vitest, 'run', '--root', folder, '--retry=1', `--reporter=${reporter}`, file]
    const env = { ...process.env, TEST_NOTES_FILE: notes }
    const { code } = await runProgram(process.execPath, args, { cwd: folder, env })
    return { code, notes: JSON.parse(await readFile(notes, 'utf8')) as RunNotes }
  }

  it('name a test that passed only when it was tried again, and no other', async () => {
    const { code, notes } = await run('shaky')
    expect(notes).toMatchObject({
      secondTries: ['shaky.test.js > a group > is shaky: expected 1 to be 2 // Object.is equality'],
      errorsOutside: [],
    })
    expect(code).toBe(1)
  })

  it('name what no test caught, with the file that ran', async () => {
    const { code, notes } = await run('careless')
    const path = join(await realpath(folder), 'careless.test.js')
    expect(notes).toMatchObject({ secondTries: [], errorsOutside: [`${path}: Error: nobody listened`] })
    expect(code).toBe(1)
  })
})
