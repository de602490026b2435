import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { roomPages } from './room-pages.ts'

let folder: string
beforeEach(() => {
  folder = mkdtempSync(path.join(tmpdir(), 'room-pages-'))
})
afterEach(() => rmSync(folder, { recursive: true, force: true }))

describe('the pages of the room', () => {
  it('are its page and its assets, each with the policy, and nothing else of the folder', () => {
    mkdirSync(path.join(folder, 'assets'))
    for (const name of ['index.html', 'built-from.txt', 'assets/a.js', 'assets/b.css', 'assets/c.bin'])
      writeFileSync(path.join(folder, name), name)
    const pages = roomPages(folder)
    expect([...pages].map(([address, { type }]) => [address, type])).toEqual([
      ['/room/', 'text/html'],
      ['/room/assets/a.js', 'text/javascript'],
      ['/room/assets/b.css', 'text/css'],
      ['/room/assets/c.bin', 'application/octet-stream'],
    ])
    for (const page of pages.values()) expect(page.headers['Content-Security-Policy']).toContain("default-src 'none'")
  })

  it('are unavailable, in words, when the client was not built', () => {
    expect(() => roomPages(path.join(folder, 'nowhere'))).toThrow(
      expect.objectContaining({ code: 'service_unavailable', message: expect.stringContaining('npm start') }),
    )
  })
})
