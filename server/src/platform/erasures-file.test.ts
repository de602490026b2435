import { appendFile, mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, it } from 'vitest'
import { appendErasure, readErasures } from './erasures-file.ts'

let folder = ''
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'integrity-erasures-'))
})
afterEach(() => rm(folder, { recursive: true }))

const erasure = (n: number) => ({ at: '2026-11-27T10:00:00.000Z', orgId: 'org_1', sessionId: `ses_${n}` })

it('a line that a kill has cut off takes none with it, before or behind', async () => {
  const file = join(folder, 'erasures.jsonl')
  await appendErasure(file, erasure(1))
  await appendFile(file, JSON.stringify(erasure(2)).slice(0, 40))
  await appendErasure(file, erasure(2))
  await appendErasure(file, erasure(3))
  expect(await readErasures(file)).toEqual([erasure(1), erasure(2), erasure(3)])
})

it('any other line that is no erasure is named by its number', async () => {
  const file = join(folder, 'erasures.jsonl')
  await writeFile(file, `${JSON.stringify(erasure(1))}\nsomething else\n`)
  await expect(readErasures(file)).rejects.toThrow('line 2 is no erasure')
})
