import { mkdtempSync, readFileSync, rmSync, statSync } from 'node:fs'
import { open } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, it, vi } from 'vitest'
import { createDurably, writeDurably } from './durable-file.ts'

let dir: string
beforeEach(() => {
  dir = mkdtempSync(join(tmpdir(), 'durable-file-'))
})
afterEach(() => {
  vi.restoreAllMocks()
  rmSync(dir, { recursive: true, force: true })
})

it.each([
  ['written', writeDurably],
  ['created', createDurably],
])('a file is %s with its bytes and its name on the disk, for this user alone', async (_word, write) => {
  const handle = await open(dir, 'r')
  // A power cut, which no test can bring about, takes what was not synced.
  const syncing = vi.spyOn(Object.getPrototypeOf(handle) as { sync: () => Promise<void> }, 'sync')
  const path = join(dir, 'file')
  await write(path, Buffer.from('bytes'))
  await handle.close()
  expect(syncing).toHaveBeenCalledTimes(2)
  expect(readFileSync(path, 'utf8')).toBe('bytes')
  expect(statSync(path).mode & 0o777).toBe(0o600)
})
