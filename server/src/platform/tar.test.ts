import { execFileSync } from 'node:child_process'
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import os from 'node:os'
import path from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { tarOf } from './tar.ts'

let folder: string
beforeAll(() => {
  folder = mkdtempSync(path.join(os.tmpdir(), 'integrity-tar-'))
})
afterAll(() => rmSync(folder, { recursive: true }))

describe('an archive', () => {
  it('is unpacked by tar as it was packed, whatever the length of its files', () => {
    const files = [0, 1, 511, 512, 513].map((length) => ({
      name: `package/${length}`,
      bytes: Buffer.alloc(length, 'x'),
    }))
    const archive = tarOf(files)
    expect(archive.length % 512).toBe(0)
    writeFileSync(path.join(folder, 'a.tar'), archive)
    execFileSync('tar', ['-xf', 'a.tar'], { cwd: folder })
    for (const { name, bytes } of files) expect(readFileSync(path.join(folder, name))).toEqual(bytes)
    expect(tarOf(files)).toEqual(archive)
  })

  it('refuses a name that has no room in its header', () => {
    expect(() => tarOf([{ name: 'x'.repeat(101), bytes: Buffer.alloc(0) }])).toThrow(RangeError)
  })
})
