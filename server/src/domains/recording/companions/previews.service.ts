import { invalid, laneEnabled, maxPreviewBytes, notFound, type previewBody, ServiceError } from '@integrity/protocol'
import type * as z from 'zod'
import type { By, Needs, Reads } from '../../../kernel/call.ts'
import type { Content } from '../../../kernel/content.ts'
import type { ActorOf } from '../../../kernel/identity/actor.ts'
import { decodeBase64 } from '../../../platform/base64.ts'
import { admitDelivery, admitInstant, admitLane, readInstant } from '../../interviews/sessions/sessions.policy.ts'
import { getSession } from '../../interviews/sessions/sessions.read.service.ts'
import type { SessionRow } from '../../interviews/sessions/sessions.types.ts'
import { noteWatching } from '../audit/watching.service.ts'
import { findByCredential } from './companions.store.ts'

/** Shows a live still. Consent and policy hold for it as for everything of the phone, although nothing is kept. */
export const pushPreview = async (
  call: Reads & By<ActorOf<'companion'>> & Needs<'clock' | 'pictures' | 'previews'>,
  input: z.output<typeof previewBody>,
) => {
  const { actor } = call
  const session = await getSession(call, actor.sessionId)
  const now = call.clock.now()
  if (session.state === 'ended') throw new ServiceError('conflict', 'this session has ended; nothing is shown any more')
  admitDelivery(session, now)
  admitLane(session, 'side_view', now)
  const capturedAt = readInstant(input.capturedAt, 'capturedAt')
  // One from the future would be the newest for as long as it is shown.
  admitInstant(session, capturedAt, now)
  const bytes = decodeBase64(input.data, 'data')
  if (bytes.length === 0) throw invalid('data', 'is empty')
  if (bytes.length > maxPreviewBytes) throw invalid('data', `must be at most ${maxPreviewBytes} bytes`)
  await call.pictures.look(call.scope, session.id, bytes, input.contentType)
  const shown = { bytes, contentType: input.contentType, capturedAt, shownBy: actor.id }
  await call.previews.show(session.id, shown)
  return { shownAt: new Date(now).toISOString() }
}

const wanted = ({ state, config, consent }: SessionRow): boolean => {
  const given = consent?.lanes.side_view
  return state !== 'ended' && laneEnabled(config, 'side_view') && given?.granted === true && given.withdrawnAt === null
}

/** The newest still as it is, for an image on a page; not found while there is none. The look at it is written down first. */
export const readPreview = async (
  call: Reads & By<ActorOf<'user'>> & Needs<'audit' | 'clock' | 'db' | 'previews'>,
  sessionId: string,
): Promise<Content> => {
  const session = await getSession(call, sessionId)
  const preview = await call.previews.get(sessionId)
  // Nothing is let go where nothing was seen: the first still may come at this moment.
  if (!preview) throw notFound('live preview')
  const phone = await findByCredential(call.reader, call.scope, sessionId, preview.shownBy)
  // Another process may have let the phone go, or heard the candidate say no.
  if (phone?.endedAt !== null || !wanted(session)) {
    call.previews.drop(sessionId)
    throw notFound('live preview')
  }
  await noteWatching(call, sessionId)
  return { body: preview.bytes, contentType: preview.contentType, lastModified: preview.capturedAt, sandboxed: true }
}
