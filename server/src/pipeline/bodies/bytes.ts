import { Readable } from 'node:stream'
import { ServiceError } from '@integrity/protocol'
import type { Context as KoaContext } from 'koa'
import type { ByteRange, Content, RangedContent, WholeContent } from '../../kernel/content.ts'
import { hashBytes } from '../../platform/crypto/hash-bytes.ts'
import { readRange } from '../answers/byte-range.ts'

/** The wanted range; the whole for HEAD, and when `If-Range` names another content (RFC 9110, section 13.1.5). */
const wantedRange = (koa: KoaContext, sizeBytes: number, etag: string): ByteRange | undefined => {
  const condition = koa.get('If-Range')
  if (koa.method === 'HEAD' || (condition !== '' && condition !== etag)) return undefined
  const range = readRange(koa.get('Range'), sizeBytes)
  if (range !== 'unsatisfiable') return range
  throw new ServiceError('invalid_request', `the range lies beyond the ${sizeBytes} bytes of this object`, {
    status: 416,
    headers: { 'Content-Range': `bytes */${sizeBytes}` },
  })
}

/**
 * A stream whose first piece is already there. Unlike `Readable.from`, destroying it before anybody has read from it
 * also ends the source, which holds an open file.
 */
const streamOf = (first: IteratorResult<Buffer>, pieces: AsyncGenerator<Buffer>): Readable => {
  let next: Promise<IteratorResult<Buffer>> | undefined = Promise.resolve(first)
  return new Readable({
    read() {
      const piece = next ?? pieces.next()
      next = undefined
      piece.then(
        ({ done, value }) => this.push(done ? null : value),
        (error: Error) => this.destroy(error),
      )
    },
    destroy(error, done) {
      pieces.return(undefined).then(
        () => done(error),
        () => done(error),
      )
    },
  })
}

const describe = (koa: KoaContext, { contentType, fileName, lastModified, headers, sandboxed }: Content): void => {
  koa.set('Content-Type', contentType)
  if (fileName !== undefined) koa.set('Content-Disposition', `attachment; filename="${fileName}"`)
  if (lastModified !== undefined) koa.set('Last-Modified', new Date(lastModified).toUTCString())
  for (const [name, value] of Object.entries(headers ?? {})) koa.set(name, value)
  if (!sandboxed) return
  koa.set('Content-Security-Policy', "default-src 'none'; sandbox")
  // No page of another origin shows it as a picture of its own; what a script fetches with a key is not meant by this.
  koa.set('Cross-Origin-Resource-Policy', 'same-origin')
}

/** RFC 9530: of what the message holds, which is nothing for HEAD, and of the whole file whatever is asked of it. */
const setDigests = (koa: KoaContext, sha256: Buffer, isWhole: boolean): void => {
  const digest = `sha-256=:${sha256.toString('base64')}:`
  koa.set('Repr-Digest', digest)
  if (isWhole && koa.method !== 'HEAD') koa.set('Content-Digest', digest)
}

const sendWhole = async (koa: KoaContext, content: WholeContent): Promise<void> => {
  const { body, given } = content
  const isLook = koa.method === 'HEAD'
  if (given && !isLook) await given()
  koa.status = 200
  if (given && isLook) return describe(koa, content)
  koa.body = Buffer.isBuffer(body) ? body : Readable.from(body, { objectMode: false })
  if (Buffer.isBuffer(body)) setDigests(koa, await hashBytes(body), true)
  describe(koa, content)
}

const sendRange = async (koa: KoaContext, content: RangedContent): Promise<void> => {
  const { sizeBytes } = content
  const etag = `"${content.sha256}"`
  const range = wantedRange(koa, sizeBytes, etag)
  const { start, end } = range ?? { start: 0, end: sizeBytes }
  const head = koa.method === 'HEAD'
  const pieces = content.read({ start, end })
  // A missing or damaged object is found before anything is promised or accounted for.
  const first = await pieces.next()
  try {
    await content.given({ start, end, sizeBytes, head })
    if (head) await pieces.return(undefined)
    else koa.body = streamOf(first, pieces)
    koa.status = range ? 206 : 200
    describe(koa, content)
    koa.set('Accept-Ranges', 'bytes')
    koa.set('ETag', etag)
    setDigests(koa, Buffer.from(content.sha256, 'hex'), range === undefined)
    if (range) koa.set('Content-Range', `bytes ${start}-${end - 1}/${sizeBytes}`)
    koa.set('Content-Length', String(end - start))
  } catch (error) {
    await pieces.return(undefined)
    throw error
  }
}

/** Answers bytes as they are read, or one range of them where there are ranges. Throws 416 beyond their end. */
export const sendBytes = async (koa: KoaContext, content: Content): Promise<void> =>
  'read' in content ? sendRange(koa, content) : sendWhole(koa, content)
