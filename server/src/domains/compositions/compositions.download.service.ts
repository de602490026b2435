import { notFound } from '@integrity/protocol'
import type { Context as KoaContext } from 'koa'
import type { Actor } from '../../kernel/actor.ts'
import type { AppContext } from '../../kernel/parts.ts'
import type { Scope } from '../../kernel/scope.ts'
import { answerSealed } from '../evidence/sealed-answer.ts'
import { type CompositionRef, getFilm } from './compositions.service.ts'

/**
 * Answers the film, or one range of it, with an audit row. Throws `not_found` for a download token of another object,
 * `conflict` when there is no film; 416 beyond the end.
 */
export const serveFilm = async (
  { app, scope, actor }: { app: AppContext; scope: Scope; actor: Actor },
  koa: KoaContext,
  ref: CompositionRef,
): Promise<void> => {
  if (actor.kind === 'download' && actor.objectId !== ref.id) throw notFound('composition')
  const { sessionId, ...film } = await getFilm(app, app.db.reader, scope, ref)
  const { id, header, storeKey, sizeBytes, sha256 } = film
  const fileName = `composition-${id}.mp4`
  const content = { orgId: scope.orgId, header, storeKey, sizeBytes, sha256, contentType: 'video/mp4', fileName }
  await answerSealed(app, koa, content, (tx, { head, ...payload }) =>
    app.audit.append(tx, scope.orgId, {
      actor,
      action: head ? 'composition.viewed' : 'composition.downloaded',
      target: id,
      sessionId,
      payload,
    }),
  )
}
