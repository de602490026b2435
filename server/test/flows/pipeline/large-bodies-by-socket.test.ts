import { execFile } from 'node:child_process'
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { connect } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { endpoints } from '@integrity/protocol'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { buildCaptureSession, type CaptureSession } from '../../test-support/capture-session.ts'
import { startServer, type TestServer } from '../../test-support/server.ts'

const run = promisify(execFile)
const MiB = 1024 * 1024
const piece = Buffer.alloc(64 * 1024)

interface Upload {
  readonly path: string
  readonly method: string
  readonly contentType: string
  readonly maxBytes: number
}
/** Every endpoint that takes bytes. */
const uploads = Object.values(endpoints).flatMap((endpoint): [string, Upload][] => {
  const { id, path, method, upload } = endpoint as typeof endpoint & { readonly upload?: Record<string, never> }
  if (!upload) return []
  const { contentTypes, maxBytes } = upload as unknown as { contentTypes: string[]; maxBytes: number }
  return [[id, { path, method, contentType: contentTypes[0]!, maxBytes }]]
})

describe('a body above its ceiling, of every endpoint that takes bytes', () => {
  let server: TestServer
  let session: CaptureSession
  let folder: string
  beforeAll(async () => {
    server = await startServer()
    session = await buildCaptureSession(server)
    folder = await mkdtemp(join(tmpdir(), 'large-'))
  })
  afterAll(async () => {
    await server.stop()
    await rm(folder, { recursive: true })
  })

  const pathOf = ({ path }: Upload) =>
    `${path.replace(/:id|\{id\}/, session.id).replace(/[:{]\w+\}?/g, 'upl_none')}?index=0`
  /** What a device is told that may send there, and one that may not: both are to read it. */
  const words = /"code":"(?:invalid_request|payload_too_large|unauthorized|forbidden|not_found)"/

  it('has some', () => expect(uploads.length).toBeGreaterThanOrEqual(7))

  describe.each(['with its length', 'in chunks'])('by curl, %s', (how) => {
    it.each(uploads)('is answered in words: %s', async (_id, upload) => {
      const file = join(folder, 'body')
      await writeFile(file, Buffer.alloc(upload.maxBytes + 2 * MiB))
      const { stdout } = await run('curl', [
        ...['-sS', '-X', upload.method, '-H', `Authorization: Bearer ${session.token}`, '-H', 'Expect:'],
        ...['-H', `Content-Type: ${upload.contentType}`, '-w', '\n%{http_code}', '--data-binary', `@${file}`],
        ...(how === 'in chunks' ? ['-H', 'Transfer-Encoding: chunked'] : []),
        `${server.url}${pathOf(upload)}`,
      ])
      const [body, status] = [stdout.slice(0, stdout.lastIndexOf('\n')), stdout.slice(-3)]
      expect(['401', '404', '413'], `${status} ${body}`).toContain(status)
      expect(body).toMatch(words)
    })
  })

  /** Writes on and on without looking, and reads what came only when it can write no more or has written it all. */
  const byStubbornSocket = (upload: Upload, bytes: number, isChunked: boolean): Promise<string> =>
    new Promise((resolve, reject) => {
      const { hostname, port } = new URL(server.url)
      const socket = connect({ host: hostname, port: Number(port) })
      let [heard, left] = ['', bytes]
      socket.on('data', (data: Buffer) => {
        heard += data.toString('latin1')
      })
      socket.on('error', (error) => (heard === '' ? reject(error) : resolve(heard)))
      socket.on('close', () => resolve(heard))
      const length = isChunked ? 'transfer-encoding: chunked' : `content-length: ${bytes}`
      socket.write(
        `${upload.method} ${pathOf(upload)} HTTP/1.1\r\nhost: ${hostname}\r\nauthorization: Bearer ${session.token}\r\n` +
          `content-type: ${upload.contentType}\r\n${length}\r\nconnection: close\r\n\r\n`,
      )
      const write = () => {
        while (left > 0 && socket.writable) {
          left -= piece.length
          if (isChunked) socket.write(`${piece.length.toString(16)}\r\n`)
          const isTaken = socket.write(piece)
          if (isChunked) socket.write('\r\n')
          if (!isTaken) return void socket.once('drain', write)
        }
        if (isChunked && socket.writable) socket.write('0\r\n\r\n')
      }
      write()
    })

  describe.each([
    ['with its length', false],
    ['in chunks', true],
  ])('by a socket that writes on, %s', (_how, isChunked) => {
    it.each(uploads)('is answered in words: %s', async (_id, upload) => {
      const bytes = Math.ceil((upload.maxBytes + 2 * MiB) / piece.length) * piece.length
      const heard = await byStubbornSocket(upload, bytes, isChunked)
      expect(heard.slice(0, 12)).toMatch(/^HTTP\/1\.1 (401|404|413)/)
      expect(heard).toMatch(words)
    })
  })
})
