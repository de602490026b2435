import { createHash, randomBytes } from 'node:crypto'
import { mkdtemp, readdir, readFile, rm, stat, symlink, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { basename, join } from 'node:path'
import type { UpdateBuild } from '@integrity/protocol'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { until } from '../../../test/test-support/until.ts'
import { buildBuild } from '../minisign/test-support/documents.ts'
import { downloadBuild } from './download.ts'
import { DownloadError } from './download-errors.ts'
import { allowedUrl } from './fetch-part.ts'
import { type FileServer, startFileServer } from './test-support/file-server.ts'

const bytes = randomBytes(300_000)
const never = new AbortController().signal
let server: FileServer
let folder: string
let dir: string

beforeEach(async () => {
  server = await startFileServer(bytes)
  folder = await mkdtemp(join(tmpdir(), 'download-'))
  dir = join(folder, 'updates')
})
afterEach(async () => {
  await server.close()
  await rm(folder, { recursive: true, force: true })
})

const buildOf = (overrides: Partial<UpdateBuild> = {}): UpdateBuild =>
  buildBuild({
    url: `${server.url}/agent-1.1.0.AppImage?download=1`,
    sizeBytes: bytes.length,
    sha512: createHash('sha512').update(bytes).digest('hex'),
    ...overrides,
  })

const download = (build: UpdateBuild, signal: AbortSignal = never, onProgress?: (received: number) => void) =>
  downloadBuild(build, { dir, signal, ...(onProgress ? { onProgress } : {}) })

const faultOf = async (...args: Parameters<typeof download>): Promise<{ fault: string; message: string }> => {
  const error: unknown = await download(...args).catch((caught: unknown) => caught)
  if (!(error instanceof DownloadError)) throw error instanceof Error ? error : new Error('it was accepted')
  return { fault: error.fault, message: error.message }
}

/** Fetches 100,000 bytes, then the connection breaks. */
const breakOff = async (build = buildOf()): Promise<string> => {
  server.silentAfter = 100_000
  const { fault } = await faultOf(build, never, (received) => {
    if (received === 100_000) server.breakOff()
  })
  return fault
}

describe('a download', () => {
  it('gives the whole file under its own name once its hash is right, and tells how far it is', async () => {
    const progress: number[] = []
    const path = await download(buildOf(), never, (received) => progress.push(received))
    expect(basename(path)).toBe('agent-1.1.0-linux-x64.AppImage')
    expect((await readFile(path)).equals(bytes)).toBe(true)
    expect(await readdir(dir)).toEqual([basename(path)])
    expect(progress[0]).toBe(0)
    expect(progress.at(-1)).toBe(bytes.length)
    expect([...progress].sort((a, b) => a - b)).toEqual(progress)
    expect((await stat(path)).mode & 0o077).toBe(0)
  })

  it('asks for nothing when the file is there already', async () => {
    await download(buildOf())
    await download(buildOf())
    expect(server.requests).toHaveLength(1)
  })

  it('fetches again what was altered on disk since', async () => {
    const path = await download(buildOf())
    await writeFile(path, 'altered')
    await download(buildOf())
    expect((await readFile(path)).equals(bytes)).toBe(true)
  })

  it('removes builds of before', async () => {
    await download(buildOf())
    const path = await download(buildOf({ version: '1.2.0' }))
    expect(await readdir(dir)).toEqual([basename(path)])
  })

  it('never lets the address choose a place on disk', async () => {
    const path = await download(buildOf({ url: `${server.url}/..%2f..%2fevil.x%2fy` }))
    expect(path).toBe(join(dir, 'agent-1.1.0-linux-x64'))
  })
})

describe('a download that broke off', () => {
  it('goes on where it stopped, of the same file only', async () => {
    expect(await breakOff()).toBe('unavailable')
    const path = await download(buildOf())
    expect((await readFile(path)).equals(bytes)).toBe(true)
    expect(server.requests[1]).toMatchObject({ range: 'bytes=100000-', ifRange: expect.stringMatching(/^"\w+"$/) })
  })

  it('begins anew when the file on the server is another one by now', async () => {
    server.bytes = randomBytes(bytes.length)
    await breakOff()
    server.bytes = bytes
    expect((await readFile(await download(buildOf()))).equals(bytes)).toBe(true)
    expect(server.requests[1]?.range).toBe('bytes=100000-')
  })

  it('begins anew when the server no longer has that range', async () => {
    await breakOff()
    server.instead = (request, response) => {
      if (request.headers.range) response.writeHead(416).end()
      else response.end(bytes)
    }
    expect((await readFile(await download(buildOf()))).equals(bytes)).toBe(true)
  })

  it('begins anew when the server gives another range than it was asked for', async () => {
    await breakOff()
    server.instead = (request, response) => {
      const range = { 'content-range': `bytes 0-${bytes.length - 1}/${bytes.length}` }
      response.writeHead(request.headers.range ? 206 : 200, request.headers.range ? range : {}).end(bytes)
    }
    expect((await readFile(await download(buildOf()))).equals(bytes)).toBe(true)
    expect(server.requests.map(({ range }) => range)).toEqual([undefined, 'bytes=100000-', undefined])
  })

  it('begins anew when what is left is of another build, or its note is damaged', async () => {
    await breakOff()
    await download({ ...buildOf(), url: `${server.url}/other.AppImage` })
    expect(server.requests[1]?.range).toBeUndefined()

    await rm(dir, { recursive: true })
    await breakOff()
    const [note] = (await readdir(dir)).filter((name) => name.endsWith('.json'))
    await writeFile(join(dir, note ?? ''), '{"url"')
    await download(buildOf())
    expect(server.requests.at(-1)?.range).toBeUndefined()
  })

  it('is not continued without an ETag, which alone can tell that it is the same file', async () => {
    server.instead = (_request, response) => {
      response.writeHead(200, { 'content-length': bytes.length, etag: 'W/"weak"' })
      response.write(bytes.subarray(0, 1000))
    }
    await faultOf(buildOf(), never, (received) => {
      if (received === 1000) server.breakOff()
    })
    server.instead = undefined
    await download(buildOf())
    expect(server.requests[1]?.range).toBeUndefined()
  })

  it('stops at once when it is told to, and keeps what is there', async () => {
    const stop = new AbortController()
    server.instead = (_request, response) => {
      response.writeHead(200, { 'content-length': bytes.length, etag: '"a"' })
      response.write(bytes.subarray(0, 50_000))
    }
    const reason = new Error('a recording begins')
    const stopped = download(buildOf(), stop.signal, (received) => {
      if (received === 50_000) stop.abort(reason)
    })
    await expect(stopped).rejects.toBe(reason)
    expect((await stat(join(dir, 'agent-1.1.0-linux-x64.AppImage.part'))).size).toBe(50_000)
  })
})

describe('what comes instead of the announced build', () => {
  const nothingLeft = async (): Promise<void> => expect(await readdir(dir)).toEqual([])

  it('is removed and refused in words when its hash differs', async () => {
    server.bytes = Buffer.from(bytes)
    server.bytes[1234] = bytes[1234]! ^ 1
    const { fault, message } = await faultOf(buildOf())
    expect(fault).toBe('wrong_file')
    expect(message).toMatch(/not the build that was announced.*removed/)
    await nothingLeft()
  })

  it('is refused before it is fetched when its size differs', async () => {
    server.bytes = bytes.subarray(1)
    expect((await faultOf(buildOf())).message).toContain('299999 bytes, not the 300000')
    await nothingLeft()
  })

  it('is cut off at the announced size when the server does not say how much it sends', async () => {
    let sent = 0
    server.instead = (_request, response) => {
      const more = (): void => {
        sent += 64 * 1024
        if (!response.destroyed) response.write(randomBytes(64 * 1024), () => setImmediate(more))
      }
      more()
    }
    expect(await faultOf(buildOf())).toMatchObject({ fault: 'wrong_file', message: expect.stringContaining('larger') })
    await nothingLeft()
    expect(sent).toBeLessThan(50 * bytes.length)
  })

  it('is not taken when it is an error, a login page, or compressed', async () => {
    for (const status of [403, 404, 500, 503]) {
      server.instead = (_request, response) => response.writeHead(status).end('<html>')
      expect((await faultOf(buildOf())).fault).toBe('unavailable')
    }
    server.instead = (_request, response) => response.writeHead(200, { 'content-encoding': 'gzip' }).end('x')
    expect((await faultOf(buildOf())).fault).toBe('unavailable')
    server.instead = (_request, response) => response.end('<!doctype html><title>Sign in</title>')
    expect((await faultOf(buildOf())).fault).toBe('wrong_file')
    await nothingLeft()
  })

  it('is told as not reachable when nobody answers', async () => {
    const build = buildOf()
    await server.close()
    expect((await faultOf(build)).fault).toBe('unavailable')
  })
})

describe('redirects', () => {
  it('are followed to allowed addresses, with the resume', async () => {
    await breakOff()
    server.instead = (request, response) => {
      if (request.url?.startsWith('/agent')) response.writeHead(302, { location: '/mirror' }).end()
      else {
        server.instead = undefined
        const part = bytes.subarray(100_000)
        const range = `bytes 100000-${bytes.length - 1}/${bytes.length}`
        response.writeHead(206, { 'content-range': range, 'content-length': part.length }).end(part)
      }
    }
    await download(buildOf())
    expect(server.requests.at(-1)).toMatchObject({ path: '/mirror', range: 'bytes=100000-' })
  })

  it('to plain http elsewhere, to a file, or in a circle are not followed', async () => {
    for (const location of ['http://downloads.example.org/agent', 'file:///etc/passwd', 'http://[::ffff:7f00:1]/x']) {
      server.instead = (_request, response) => response.writeHead(302, { location }).end()
      expect((await faultOf(buildOf())).fault, location).toBe('not_allowed')
    }
    server.instead = (_request, response) => response.writeHead(302, { location: '/again' }).end()
    expect((await faultOf(buildOf())).fault).toBe('unavailable')
    expect(server.requests.length).toBeLessThan(12)
  })

  it('of a manifest are held to the same rule', () => {
    expect(allowedUrl('https://downloads.example.org/a').protocol).toBe('https:')
    expect(allowedUrl('http://localhost:8080/a').hostname).toBe('localhost')
    const others = ['http://127.0.0.1.example.org/a', 'http://example.org', 'ftp://a/b', 'javascript:1', 'none']
    for (const url of others) expect(() => allowedUrl(url), url).toThrow(DownloadError)
  })
})

describe.skipIf(process.platform !== 'linux')('a full disk', () => {
  it('is told in words, and the half-done file is removed', async () => {
    await breakOff()
    // Every write to /dev/full fails as on a full disk.
    const part = join(dir, 'agent-1.1.0-linux-x64.AppImage.part')
    await rm(part)
    await symlink('/dev/full', part)
    const { fault, message } = await faultOf(buildOf())
    expect(fault).toBe('no_space')
    expect(message).toContain('not enough free space')
    await until('the folder to be empty', async () => (await readdir(dir)).length === 0)
    expect((await readFile(await download(buildOf()))).equals(bytes)).toBe(true)
  })
})
