import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import { takeFolder } from './sqlite.lock.ts'

it('a folder is one server’s until that gives it back', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'integrity-lock-'))
  const give = takeFolder(folder)
  expect(() => takeFolder(folder)).toThrow(/Another server serves .*DATABASE_URL of Postgres/s)
  give()
  takeFolder(folder)()
  await rm(folder, { recursive: true })
})
