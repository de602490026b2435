import { Readable } from 'node:stream'
import { ServiceError } from '@integrity/protocol'
import type { Context as KoaContext } from 'koa'
import type { Needs } from '../../kernel/call.ts'
import type { Tx } from '../../platform/db/types.ts'
import { openSealed } from '../../platform/storage/sealed-object.ts'
import { orgIdentity } from '../orgs/orgs.service.ts'
import { type ByteRange, readRange } from './byte-range.ts'

/** Sealed bytes of the store as a download shows them. */
export interface SealedContent {
  readonly orgId: string
  readonly storeKey: string
  readonly header: string
  /** Of the plain bytes. */
  readonly sizeBytes: number
  /** Of the plain bytes, hex; it is the ETag. */
  readonly sha256: string
  readonly contentType: string
  /** Nothing in it may come from a person. */
  readonly fileName: string
}

/** What a download gave out. `head`: nothing but the headers. */
export interface GivenOut extends ByteRange {
  readonly sizeBytes: number
  readonly head: boolean
}

/** The wanted range; the whole for HEAD, and when `If-Range` names another content (RFC 9110, section 13.1.5). */
const wantedRange = (koa: KoaContext, content: SealedContent, etag: string): ByteRange | undefined => {
  const condition = koa.get('If-Range')
  if (koa.method === 'HEAD' || (condition !== '' && condition !== etag)) return undefined
  const range = readRange(koa.get('Range'), content.sizeBytes)
  if (range !== 'unsatisfiable') return range
  throw new ServiceError('invalid_request', `the range lies beyond the ${content.sizeBytes} bytes of this object`, {
    status: 416,
    headers: { 'Content-Range': `bytes */${content.sizeBytes}` },
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

const setHeaders = (koa: KoaContext, content: SealedContent, range: ByteRange | undefined, etag: string): void => {
  const { start, end } = range ?? { start: 0, end: content.sizeBytes }
  koa.status = range ? 206 : 200
  koa.set('Content-Type', content.contentType)
  koa.set('Content-Disposition', `attachment; filename="${content.fileName}"`)
  koa.set('Accept-Ranges', 'bytes')
  koa.set('ETag', etag)
  // Whatever the bytes are, a browser that opens them here may run nothing of them.
  koa.set('Content-Security-Policy', "default-src 'none'; sandbox")
  if (range) koa.set('Content-Range', `bytes ${start}-${end - 1}/${content.sizeBytes}`)
  koa.set('Content-Length', String(end - start))
}

/**
 * Answers the decrypted bytes, or one range of them, as they are read. What `record` writes (the audit row) is durable
 * before the first byte leaves. Throws 416 beyond the end.
 */
export const answerSealed = async (
  call: Needs<'db' | 'identities' | 'keyring' | 'reader' | 'store'>,
  koa: KoaContext,
  content: SealedContent,
  record: (tx: Tx, given: GivenOut) => Promise<unknown>,
): Promise<void> => {
  const { header, storeKey, sizeBytes, orgId } = content
  const etag = `"${content.sha256}"`
  const range = wantedRange(koa, content, etag)
  const { start, end } = range ?? { start: 0, end: sizeBytes }
  const head = koa.method === 'HEAD'
  const identity = await orgIdentity(call, orgId)
  const pieces = openSealed(header, identity, call.store, storeKey, { sizeBytes, start, end })
  // A missing or damaged object is found before anything is promised or recorded.
  const first = await pieces.next()
  try {
    await call.db.transact((tx) => record(tx, { start, end, sizeBytes, head }))
    if (head) await pieces.return(undefined)
    else koa.body = streamOf(first, pieces)
    setHeaders(koa, content, range, etag)
  } catch (error) {
    await pieces.return(undefined)
    throw error
  }
}
