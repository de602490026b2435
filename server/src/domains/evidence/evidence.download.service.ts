import { Readable } from 'node:stream'
import { notFound, ServiceError } from '@integrity/protocol'
import type { Context as KoaContext } from 'koa'
import type { AppContext } from '../../app/context.ts'
import type { Actor } from '../../platform/actor.ts'
import type { Scope } from '../../platform/scope.ts'
import { openSealed } from '../../platform/storage/sealed-object.ts'
import { orgIdentity } from '../orgs/orgs.service.ts'
import { type ByteRange, readRange } from './byte-range.ts'
import { contentErased, getEvidence } from './evidence.service.ts'
import type { EvidenceRow } from './evidence.store.ts'
import { findObjectOf } from './objects.store.ts'

const endings: Readonly<Record<string, string>> = { jpeg: 'jpg', 'x-matroska': 'mkv' }

/** `screenshot-evd_….webp`: nothing in it comes from a person. */
export const fileNameOf = (row: Pick<EvidenceRow, 'id' | 'evidenceType' | 'contentType'>): string => {
  const subtype = row.contentType.split('/')[1] ?? 'bin'
  return `${row.evidenceType.replaceAll('_', '-')}-${row.id}.${endings[subtype] ?? subtype}`
}

/** The wanted range; the whole for HEAD, and when `If-Range` names another content (RFC 9110, section 13.1.5). */
const wantedRange = (koa: KoaContext, row: EvidenceRow, etag: string): ByteRange | undefined => {
  const condition = koa.get('If-Range')
  if (koa.method === 'HEAD' || (condition !== '' && condition !== etag)) return undefined
  const range = readRange(koa.get('Range'), row.sizeBytes)
  if (range !== 'unsatisfiable') return range
  throw new ServiceError('invalid_request', `the range lies beyond the ${row.sizeBytes} bytes of this object`, {
    status: 416,
    headers: { 'Content-Range': `bytes */${row.sizeBytes}` },
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

const setHeaders = (koa: KoaContext, row: EvidenceRow, range: ByteRange | undefined, etag: string): void => {
  const { start, end } = range ?? { start: 0, end: row.sizeBytes }
  koa.status = range ? 206 : 200
  koa.set('Content-Type', row.contentType)
  koa.set('Content-Disposition', `attachment; filename="${fileNameOf(row)}"`)
  koa.set('Accept-Ranges', 'bytes')
  koa.set('ETag', etag)
  // Whatever the bytes are, a browser that opens them here may run nothing of them.
  koa.set('Content-Security-Policy', "default-src 'none'; sandbox")
  if (range) koa.set('Content-Range', `bytes ${start}-${end - 1}/${row.sizeBytes}`)
  koa.set('Content-Length', String(end - start))
}

/**
 * Answers the decrypted bytes, or one range of them, as they are read. The audit row is durable before the first byte
 * leaves. Throws `not_found` for a download token of another object and for erased content; 416 beyond the end.
 */
export const serveContent = async (
  call: { app: AppContext; scope: Scope; actor: Actor; input: { params: { id: string } } },
  koa: KoaContext,
): Promise<void> => {
  const { app, scope, actor } = call
  const { id } = call.input.params
  if (actor.kind === 'download' && actor.objectId !== id) throw notFound('evidence')
  const row = await getEvidence(app.db.reader, scope, id)
  const object = await findObjectOf(app.db.reader, scope, id)
  if (row.erasedAt !== null || !object?.header) throw contentErased()
  const etag = `"${row.sha256}"`
  const range = wantedRange(koa, row, etag)
  const { start, end } = range ?? { start: 0, end: row.sizeBytes }
  const identity = await orgIdentity(app, scope.orgId)
  const options = { sizeBytes: row.sizeBytes, start, end }
  const pieces = openSealed(object.header, identity, app.store, object.storeKey, options)
  // A missing or damaged object is found before anything is promised or recorded.
  const first = await pieces.next()
  try {
    await app.db.transact((tx) =>
      app.audit.append(tx, scope.orgId, {
        actor,
        action: koa.method === 'HEAD' ? 'evidence.viewed' : 'evidence.downloaded',
        target: id,
        sessionId: row.sessionId,
        payload: { start, end, sizeBytes: row.sizeBytes },
      }),
    )
    if (koa.method === 'HEAD') await pieces.return(undefined)
    else koa.body = streamOf(first, pieces)
    setHeaders(koa, row, range, etag)
  } catch (error) {
    await pieces.return(undefined)
    throw error
  }
}
