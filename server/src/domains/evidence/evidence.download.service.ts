import { notFound } from '@integrity/protocol'
import type { Context as KoaContext } from 'koa'
import type { Actor } from '../../kernel/actor.ts'
import type { By, Needs, Reads } from '../../kernel/call.ts'
import { inTx } from '../../kernel/call.ts'
import { openSealed } from '../../platform/storage/sealed-object.ts'
import { orgIdentity } from '../orgs/orgs.service.ts'
import type { ByteRange } from './byte-range.ts'
import { contentErased, getEvidence } from './evidence.service.ts'
import type { EvidenceRow } from './evidence.store.ts'
import { findObjectOf } from './objects.store.ts'
import { answerSealed } from './sealed-answer.ts'

const endings: Readonly<Record<string, string>> = { jpeg: 'jpg', 'x-matroska': 'mkv' }

/** `screenshot-evd_….webp`: nothing in it comes from a person. */
const fileNameOf = (row: Pick<EvidenceRow, 'id' | 'evidenceType' | 'contentType'>): string => {
  const subtype = row.contentType.split('/')[1] ?? 'bin'
  return `${row.evidenceType.replaceAll('_', '-')}-${row.id}.${endings[subtype] ?? subtype}`
}

/**
 * Answers the decrypted bytes, or one range of them, with an audit row. Throws `not_found` for a download token of
 * another object and for erased content; 416 beyond the end.
 */
export const serveContent = async (
  call: Reads & By<Actor> & Needs<'audit' | 'db' | 'identities' | 'keyring' | 'store'>,
  id: string,
  koa: KoaContext,
): Promise<void> => {
  const { scope, actor } = call
  if (actor.kind === 'download' && actor.objectId !== id) throw notFound('evidence')
  const row = await getEvidence(call, id)
  const object = await findObjectOf(call.reader, scope, id)
  if (row.erasedAt !== null || !object?.header) throw contentErased()
  const { sizeBytes, sha256, contentType, sessionId } = row
  const { header, storeKey } = object
  const content = { orgId: scope.orgId, header, storeKey, sizeBytes, sha256, contentType, fileName: fileNameOf(row) }
  await answerSealed(call, koa, content, (tx, { head, ...payload }) =>
    call.audit.append(inTx(call, tx), {
      action: head ? 'evidence.viewed' : 'evidence.downloaded',
      target: id,
      sessionId,
      payload,
    }),
  )
}

/**
 * The plain bytes of an object for a part of the service itself, which accounts for them: without an audit row.
 * Throws `not_found` once it was erased.
 */
export async function* readContent(
  call: Reads & Needs<'identities' | 'keyring' | 'store'>,
  evidence: { readonly id: string; readonly sizeBytes: number },
  range?: ByteRange,
): AsyncGenerator<Buffer> {
  const { scope } = call
  const object = await findObjectOf(call.reader, scope, evidence.id)
  if (!object?.header) throw contentErased()
  const identity = await orgIdentity(call, scope.orgId)
  yield* openSealed(object.header, identity, call.store, object.storeKey, { sizeBytes: evidence.sizeBytes, ...range })
}
