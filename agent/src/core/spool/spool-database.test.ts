import { chmodSync, mkdtempSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, it } from 'vitest'
import { fileKeyStore } from './key-store.ts'
import { Spool } from './spool.ts'
import { openDatabase } from './spool-database.ts'

let dir: string
beforeEach(() => {
  dir = mkdtempSync(join(tmpdir(), 'spool-database-'))
})
afterEach(() => rmSync(dir, { recursive: true, force: true }))

it('commits to the disk before it answers, and lets nobody else in', async () => {
  const { db } = await openDatabase(dir, Buffer.alloc(32, 1), 0)
  const set = (name: string): unknown => db.pragma(name, { simple: true })
  // 2 is FULL: what was committed is there after a power cut, which no test can bring about.
  expect(set('synchronous')).toBe(2)
  expect(set('journal_mode')).toBe('wal')
  expect(set('locking_mode')).toBe('exclusive')
  expect(set('foreign_keys')).toBe(1)
  // Whoever comes second is refused at once.
  expect(set('busy_timeout')).toBe(0)
  db.close()
})

it('lets only this user read what it keeps, also where an earlier version left it open', async () => {
  chmodSync(dir, 0o755)
  const spool = await Spool.open({ dir, keyStore: fileKeyStore(dir) })
  await spool.close()
  const modes = () =>
    [dir, ...readdirSync(dir).map((name) => join(dir, name))].map((path) => (statSync(path).mode & 0o777).toString(8))
  expect(new Set(modes())).toEqual(new Set(['700', '600']))
  for (const name of readdirSync(dir)) chmodSync(join(dir, name), name === 'items' ? 0o755 : 0o644)
  chmodSync(dir, 0o755)
  const again = await Spool.open({ dir, keyStore: fileKeyStore(dir) })
  // Made beside the index while it is open.
  expect(readdirSync(dir)).toContain('spool.db-wal')
  expect(new Set(modes())).toEqual(new Set(['700', '600']))
  await again.close()
})

it('leaves a folder that others share as it is, and closes its own files in it', async () => {
  chmodSync(dir, 0o1777)
  writeFileSync(join(dir, 'spool.db'), '', { mode: 0o644 })
  const { db } = await openDatabase(dir, Buffer.alloc(32, 1), 0)
  db.close()
  const spool = await Spool.open({ dir: join(dir), keyStore: fileKeyStore(dir) }).catch(() => undefined)
  await spool?.close()
  expect(statSync(dir).mode & 0o1777).toBe(0o1777)
  expect(statSync(join(dir, 'spool.db')).mode & 0o777).toBe(0o600)
})

it('sets aside an index whose pages are damaged where nothing has looked yet, and says what was found', async () => {
  const key = Buffer.alloc(32, 1)
  const { db } = await openDatabase(dir, key, 0)
  const root = db
    .prepare<[], { rootpage: number }>("SELECT rootpage FROM sqlite_schema WHERE name = 'events_queue'")
    .get()
  const pageSize = Number(db.pragma('page_size', { simple: true }))
  db.close()
  const path = join(dir, 'spool.db')
  const bytes = readFileSync(path)
  // No statement of a start reads this index: only a check of every page finds it.
  bytes.fill(0xff, ((root?.rootpage ?? 0) - 1) * pageSize, (root?.rootpage ?? 0) * pageSize)
  writeFileSync(path, bytes)
  const opened = await openDatabase(dir, key, 7)
  expect(opened.setAside).toEqual({ path: `${path}.set-aside-7`, reason: expect.stringMatching(/^quick_check: /) })
  expect(opened.db.pragma('quick_check', { simple: true })).toBe('ok')
  opened.db.close()
})
