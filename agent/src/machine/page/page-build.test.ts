import { mkdtemp, readdir, readFile, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { gzipSync } from 'node:zlib'
import { build } from 'vite'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'

const configFile = join(import.meta.dirname, '../../../build/capture-page.config.ts')

describe('the built capture page', () => {
  let folder: string
  let files: Map<string, Buffer>

  beforeAll(async () => {
    folder = await mkdtemp(join(tmpdir(), 'capture-page-'))
    await build({ configFile, logLevel: 'error', build: { outDir: folder } })
    const names = await readdir(folder, { recursive: true, withFileTypes: true })
    const paths = names.filter((entry) => entry.isFile()).map((entry) => join(entry.parentPath, entry.name))
    files = new Map(await Promise.all(paths.map(async (path) => [path, await readFile(path)] as const)))
  })
  afterAll(() => rm(folder, { recursive: true, force: true }))

  it('is small: less than 60 kB of scripts, compressed', () => {
    const scripts = [...files].filter(([path]) => path.endsWith('.js'))
    // The page, and what runs in its audio worklet.
    expect(scripts).toHaveLength(2)
    expect(scripts.reduce((sum, [, bytes]) => sum + gzipSync(bytes).length, 0)).toBeLessThan(60_000)
  })

  it('loads nothing from elsewhere, and its policy allows nothing else', () => {
    const html = files.get(join(folder, 'index.html'))!.toString()
    const policy = /http-equiv="Content-Security-Policy"\s+content="([^"]+)"/.exec(html)?.[1]?.split('; ')
    expect(policy).toEqual(
      expect.arrayContaining(["default-src 'none'", "script-src 'self'", "worker-src 'self'", "connect-src 'none'"]),
    )
    expect(policy?.join(' ')).not.toMatch(/unsafe|https?:|\*/)
    const addresses = [...html.matchAll(/(?:src|href)="([^"]+)"/g)].map((match) => match[1])
    expect(addresses).toHaveLength(1)
    expect(addresses[0]).toMatch(/^\.\/assets\/[\w-]+\.js$/)
  })
})
