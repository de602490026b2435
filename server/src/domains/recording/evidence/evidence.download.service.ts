import { createHash } from 'node:crypto'
import { notFound, ServiceError } from '@integrity/protocol'
import type { By, Needs, Reads } from '../../../kernel/call.ts'
import type { ByteRange, Content, RangedContent } from '../../../kernel/content.ts'
import type { Actor } from '../../../kernel/identity/actor.ts'
import { countRecipients, unwrapFileKey, wrapFileKey } from '../../../platform/crypto/age-header.ts'
import { payloadSize } from '../../../platform/crypto/age-stream.ts'
import { openSealed } from '../../../platform/storage/sealed-object.ts'
import { StorageError } from '../../../platform/storage/types.ts'
import { verifiedToItsEnd } from '../../../platform/storage/verified-end.ts'
import { orgIdentity } from '../../organisation/orgs/orgs.service.ts'
import { assertBound } from './evidence.binding.model.ts'
import { contentErased, getEvidence } from './evidence.service.ts'
import type { EvidenceRow } from './evidence.types.ts'
import { findObjectOf } from './objects.store.ts'
import { givenOut, sealedContent } from './sealed-content.view.ts'

/** Sealed bytes are read in pieces of so many. */
const pieceBytes = 1 << 20

const endings: Readonly<Record<string, string>> = { jpeg: 'jpg', 'x-matroska': 'mkv' }

/** `screenshot-evd_….webp`: nothing in it comes from a person. */
export const fileNameOf = (row: Pick<EvidenceRow, 'id' | 'evidenceType' | 'contentType'>): string => {
  const subtype = row.contentType.split('/')[1] ?? 'bin'
  return `${row.evidenceType.replaceAll('_', '-')}-${row.id}.${endings[subtype] ?? subtype}`
}

/** A row and the object it is bound to. Throws `not_found` once it was erased, `EvidenceFault` when they do not fit. */
export const boundEvidence = async (call: Reads & Needs<'keyring' | 'sessionKeys'>, id: string) => {
  const row = await getEvidence(call, id)
  const object = await findObjectOf(call.reader, call.scope, id)
  if (row.erasedAt !== null || !object?.header) throw contentErased()
  const { header, storeKey, smallPlace, levelsPlace, mac } = object
  assertBound(call.keyring, { ...call.scope, ...row, header, storeKey }, mac)
  const opened = await call.sessionKeys.open(call.reader, { ...call.scope, ...row, storeKey }, header)
  return { ...row, header: opened, storeKey, smallPlace, levelsPlace }
}

type BoundRow = Awaited<ReturnType<typeof boundEvidence>>

/** The decrypted bytes, with an audit row. Throws `not_found` for a download token of another object and for erased content. */
export const downloadEvidence = async (
  call: Reads & By<Actor> & Needs<'audit' | 'db' | 'identities' | 'keyring' | 'sessionKeys' | 'store'>,
  id: string,
): Promise<Content> => {
  const { actor } = call
  if (actor.kind === 'download' && actor.objectId !== id) throw notFound('evidence')
  const row = await boundEvidence(call, id)
  return sealedContent(call, { ...row, kind: 'evidence', fileName: fileNameOf(row) })
}

/**
 * The age file as it was stored, header and payload, for the organisation's own recipients, with an audit row. Throws
 * `conflict` where it was stored while there was none, `not_found` for erased content.
 */
export const downloadSealed = async (
  call: Reads & By<Actor> & Needs<'audit' | 'db' | 'keyring' | 'sessionKeys' | 'store'>,
  id: string,
): Promise<RangedContent> => {
  const row = await boundEvidence(call, id)
  if (countRecipients(row.header) < 2)
    throw new ServiceError(
      'conflict',
      'this was stored before the organisation had a recipient of its own; a bundle can be sealed to one now',
    )
  const header = Buffer.from(row.header, 'latin1')
  return {
    contentType: 'application/octet-stream',
    fileName: `${fileNameOf(row)}.age`,
    sandboxed: true,
    sizeBytes: header.length + payloadSize(row.sizeBytes),
    // No two objects have one header, and what is behind it opens with nothing else.
    sha256: createHash('sha256').update(header).digest('hex'),
    read: (range) => sealedRange(call, row, header, range),
    given: givenOut(call, { ...row, kind: 'evidence' }, { sealed: true }),
  }
}

async function* sealedRange(
  call: Needs<'store'>,
  row: BoundRow,
  header: Buffer,
  { start, end }: ByteRange,
): AsyncGenerator<Buffer> {
  if (start < header.length) yield header.subarray(start, end)
  const at = header.length
  if (end > at) yield* sealedBytes(call, row, { start: Math.max(0, start - at), end: end - at })
}

/**
 * The plain bytes of an object for a part of the service itself, which accounts for them: without an audit row.
 * Throws `not_found` once it was erased.
 */
export async function* readContent(
  call: Reads & Needs<'identities' | 'keyring' | 'sessionKeys' | 'store'>,
  { item: { id }, range }: { readonly item: { readonly id: string }; readonly range?: ByteRange | undefined },
): AsyncGenerator<Buffer> {
  const row = await boundEvidence(call, id)
  const identity = await orgIdentity(call, call.scope.orgId)
  yield* verifiedToItsEnd(openSealed(row.header, identity, call.store, row.storeKey, { ...row, ...range }), row, range)
}

/** The sealed bytes of an object as they are in the store: the payload of an age file. Throws `not_found` once it was erased. */
export async function* readSealedBytes(
  call: Reads & Needs<'keyring' | 'sessionKeys' | 'store'>,
  { item: { id }, range }: { readonly item: { readonly id: string }; readonly range?: ByteRange | undefined },
): AsyncGenerator<Buffer> {
  const row = await boundEvidence(call, id)
  yield* sealedBytes(call, row, range ?? { start: 0, end: payloadSize(row.sizeBytes) })
}

async function* sealedBytes(
  call: Needs<'store'>,
  row: Pick<BoundRow, 'storeKey'>,
  { start, end }: ByteRange,
): AsyncGenerator<Buffer> {
  const stored = await call.store.open(row.storeKey)
  try {
    for (let at = start; at < end; ) {
      const piece = await stored.read(at, Math.min(pieceBytes, end - at))
      if (piece.length === 0) throw new StorageError('size_mismatch', 'the stored object is shorter than its row says')
      at += piece.length
      yield piece
    }
  } finally {
    await stored.close()
  }
}

/** The header of an age file of these sealed bytes, for other recipients than those in the row. */
export const headerFor = async (
  call: Reads & Needs<'identities' | 'keyring' | 'sessionKeys' | 'store'>,
  { item: { id }, recipients }: { readonly item: { readonly id: string }; readonly recipients: readonly string[] },
): Promise<string> => {
  const { header } = await boundEvidence(call, id)
  return wrapFileKey(unwrapFileKey(header, await orgIdentity(call, call.scope.orgId)), recipients)
}
