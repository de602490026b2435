import { mkdtemp, rm, stat } from 'node:fs/promises'
import os from 'node:os'
import path from 'node:path'
import { expect, it } from 'vitest'
import { describeEachDatabase } from '../../../test/test-support/databases.ts'
import { openDb } from './open-db.ts'

describeEachDatabase('openDb', (_open, engine, fresh) => {
  it('opens the configured engine', async () => {
    const { databaseUrl, dataDir } = await fresh()
    const db = await openDb({ databaseUrl, dataDir })
    expect(db.dialect.engine).toBe(engine)
    await db.ping()
    await db.close()
    await db.close()
  })
})

it('makes the data directory, readable by its owner only', async () => {
  const parent = await mkdtemp(path.join(os.tmpdir(), 'integrity-open-'))
  const dataDir = path.join(parent, 'deep', 'data')
  const db = await openDb({ dataDir })
  await db.ping()
  await db.close()
  if (process.platform !== 'win32') expect((await stat(dataDir)).mode & 0o777).toBe(0o700)
  await rm(parent, { recursive: true })
})

it('refuses a DATABASE_URL of another kind', async () => {
  await expect(openDb({ databaseUrl: 'mysql://x', dataDir: '/nowhere' })).rejects.toThrow('postgres://')
})
