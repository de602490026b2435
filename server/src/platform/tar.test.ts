import { execFileSync } from 'node:child_process'
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import os from 'node:os'
import path from 'node:path'
import { Readable } from 'node:stream'
import { buffer } from 'node:stream/consumers'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { tarEntries, tarOf } from './tar.ts'

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

  it('is read as it was packed, with long names, whatever is read of its files', async () => {
    const long = `objects/org_1/aa/${'n'.repeat(90)}`
    const files = [long, 'a', 'b', 'c'].map((name, at) => ({ name, bytes: Buffer.alloc([700, 0, 512, 3][at]!, name) }))
    const archive = tarOf(files)
    writeFileSync(path.join(folder, 'b.tar'), archive)
    expect(execFileSync('tar', ['-tf', 'b.tar'], { cwd: folder }).toString().split('\n')[0]).toBe(long)
    const pieces = async function* (size: number) {
      await Promise.resolve()
      for (let at = 0; at < archive.length; at += size) yield archive.subarray(at, at + size)
    }
    for (const size of [1, 100, 512, 5000]) {
      const found = []
      for await (const { name, bytes } of tarEntries(pieces(size)))
        found.push({ name, bytes: name === 'b' ? Buffer.alloc(512, 'b') : await buffer(bytes) })
      expect(found).toEqual(files)
    }
    const cut = async () => {
      for await (const entry of tarEntries(Readable.from([archive.subarray(0, 900)]))) expect(entry.name).toBe(long)
    }
    await expect(cut()).rejects.toThrow('ends in the middle')
    await expect(tarEntries(Readable.from([Buffer.alloc(512, 'x')])).next()).rejects.toThrow('not a tar archive')
  })

  it('refuses a name that has no room in its header', () => {
    expect(() => tarOf([{ name: 'x'.repeat(101), bytes: Buffer.alloc(0) }])).toThrow(RangeError)
  })
})
