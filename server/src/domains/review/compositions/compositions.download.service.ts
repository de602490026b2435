import { notFound } from '@integrity/protocol'
import type { By, Needs, Reads } from '../../../kernel/call.ts'
import type { Content } from '../../../kernel/content.ts'
import type { Actor } from '../../../kernel/identity/actor.ts'
import { sealedContent } from '../../recording/evidence/sealed-content.view.ts'
import { type CompositionRef, getFilm } from './compositions.service.ts'

/** The film, with an audit row. Throws `not_found` for a download token of another object, `conflict` when there is none. */
export const downloadFilm = async (
  call: Reads & By<Actor> & Needs<'audit' | 'clock' | 'db' | 'identities' | 'keyring' | 'sessionKeys' | 'store'>,
  ref: CompositionRef,
): Promise<Content> => {
  if (call.actor.kind === 'download' && call.actor.objectId !== ref.id) throw notFound('composition')
  const film = await getFilm(call, ref)
  const fileName = `composition-${film.id}.mp4`
  const header = await call.sessionKeys.open(call.reader, { ...call.scope, ...film }, film.header)
  return sealedContent(call, { ...film, header, kind: 'composition', contentType: 'video/mp4', fileName })
}
