import { notFound } from '@integrity/protocol'
import type { Context as KoaContext } from 'koa'
import type { Actor } from '../../kernel/actor.ts'
import type { By, Needs, Reads } from '../../kernel/call.ts'
import { inTx } from '../../kernel/call.ts'
import { answerSealed } from '../evidence/sealed-answer.ts'
import { type CompositionRef, getFilm } from './compositions.service.ts'

/**
 * Answers the film, or one range of it, with an audit row. Throws `not_found` for a download token of another object,
 * `conflict` when there is no film; 416 beyond the end.
 */
export const serveFilm = async (
  call: Reads & By<Actor> & Needs<'audit' | 'clock' | 'db' | 'identities' | 'keyring' | 'store'>,
  ref: CompositionRef,
  koa: KoaContext,
): Promise<void> => {
  const { scope, actor } = call
  if (actor.kind === 'download' && actor.objectId !== ref.id) throw notFound('composition')
  const { sessionId, ...film } = await getFilm(call, ref)
  const { id, header, storeKey, sizeBytes, sha256 } = film
  const fileName = `composition-${id}.mp4`
  const content = { orgId: scope.orgId, header, storeKey, sizeBytes, sha256, contentType: 'video/mp4', fileName }
  await answerSealed(call, koa, content, (tx, { head, ...payload }) =>
    call.audit.append(inTx(call, tx), {
      action: head ? 'composition.viewed' : 'composition.downloaded',
      target: id,
      sessionId,
      payload,
    }),
  )
}
