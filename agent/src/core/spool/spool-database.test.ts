import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, it } from 'vitest'
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
  db.close()
})
