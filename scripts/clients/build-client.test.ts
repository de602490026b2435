import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { buildClient, isCurrent, stampOf, type WebClient } from './build-client.ts'

let root: string
beforeEach(() => {
  root = mkdtempSync(join(tmpdir(), 'web-client-'))
  write('web/src/main.ts', 'one')
})
afterEach(() => rmSync(root, { recursive: true, force: true }))

const write = (path: string, text: string) => {
  mkdirSync(dirname(join(root, path)), { recursive: true })
  writeFileSync(join(root, path), text)
}

/** Its result is a copy of its one source. */
const client: WebClient = {
  folder: 'web',
  inputs: ['web/src', 'web/settings.json'],
  build: async (from, into) => {
    mkdirSync(into)
    writeFileSync(join(into, 'main.js'), readFileSync(join(from, 'web/src/main.ts')))
  },
}

describe('a browser client', () => {
  it('is built once, and again only when something it is made of has changed', async () => {
    expect(isCurrent(root, client)).toBe(false)
    await buildClient(root, client)
    expect(isCurrent(root, client)).toBe(true)
    write('web/src/main.test.ts', 'a test')
    write('web/other.ts', 'not of it')
    expect(isCurrent(root, client)).toBe(true)
    write('web/src/main.ts', 'two')
    expect(isCurrent(root, client)).toBe(false)
    await buildClient(root, client)
    expect(isCurrent(root, client)).toBe(true)
    expect(readFileSync(join(root, 'web/dist/main.js'), 'utf8')).toBe('two')
  })

  it('has another stamp when a file is renamed, emptied into another, or appears', () => {
    const stamps = new Set([stampOf(root, client)])
    write('web/src/next.ts', '')
    stamps.add(stampOf(root, client))
    write('web/src/next.ts', 'one')
    write('web/src/main.ts', '')
    stamps.add(stampOf(root, client))
    write('web/settings.json', '{}')
    stamps.add(stampOf(root, client))
    expect(stamps.size).toBe(4)
  })

  it('keeps the last good result when a build fails, and leaves nothing beside it', async () => {
    await buildClient(root, client)
    write('web/src/main.ts', 'two')
    const failing: WebClient = {
      ...client,
      build: async (_root, into) => {
        mkdirSync(into)
        throw new Error('no')
      },
    }
    await expect(buildClient(root, failing)).rejects.toThrow('no')
    expect(readFileSync(join(root, 'web/dist/main.js'), 'utf8')).toBe('one')
    expect(isCurrent(root, client)).toBe(false)
    expect(readdirSync(join(root, '.tsbuild'))).toEqual([])
  })
})
