import { type annotationCreate, invalid } from '@integrity/protocol'
import type * as z from 'zod'
import type { Needs, Reads, WriteCall } from '../../../kernel/call.ts'
import type { ActorOf } from '../../../kernel/identity/actor.ts'
import { readInstant } from '../../interviews/sessions/sessions.policy.ts'
import { lockSession } from '../../interviews/sessions/sessions.read.service.ts'
import { addRemark, checkPlace } from '../notes/notes.service.ts'
import type { AnnotatedMoment, AnnotationRow } from '../notes/notes.types.ts'
import { findMoment } from './coverage.service.ts'

type Body = z.output<typeof annotationCreate>

/** When the named moment was. Reads what rules read, so before the transaction. */
export const findAnnotated = async (
  call: Reads & Needs<'clock'>,
  { sessionId, body: { momentId, at } }: { readonly sessionId: string; readonly body: Body },
): Promise<AnnotatedMoment> => {
  if (momentId === undefined) return { at: readInstant(at ?? '', 'at'), momentId: null }
  const moment = await findMoment(call, { sessionId, momentId })
  if (!moment) throw invalid('momentId', 'is not a moment of this session')
  return { at: moment.at, momentId }
}

/** Says what a moment means, for good. */
export const annotate = async (
  call: WriteCall<ActorOf<'user'>>,
  {
    sessionId,
    body: { meaning, text },
    moment,
  }: { readonly sessionId: string; readonly body: Body; readonly moment: AnnotatedMoment },
): Promise<AnnotationRow> => {
  const session = await lockSession(call, sessionId)
  const isNamed = moment.momentId !== null
  checkPlace(session, { at: isNamed ? undefined : moment.at, now: call.clock.now(), path: isNamed ? 'momentId' : 'at' })
  return addRemark(call, { session, kind: 'annotation', remark: { text, meaning, anchor: moment } })
}
