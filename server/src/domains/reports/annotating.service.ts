import { type annotationCreate, invalid } from '@integrity/protocol'
import type * as z from 'zod'
import type { Needs, Reads, WriteCall } from '../../kernel/call.ts'
import type { ActorOf } from '../../kernel/identity/actor.ts'
import { addRemark, checkPlace } from '../notes/notes.service.ts'
import type { AnnotatedMoment, AnnotationRow } from '../notes/notes.types.ts'
import { readInstant } from '../sessions/sessions.policy.ts'
import { lockSession } from '../sessions/sessions.read.service.ts'
import { findMoment } from './coverage.service.ts'

type Body = z.output<typeof annotationCreate>

/** When the named moment was. Reads what rules read, so before the transaction. */
export const findAnnotated = async (
  call: Reads & Needs<'clock'>,
  sessionId: string,
  { momentId, at }: Body,
): Promise<AnnotatedMoment> => {
  if (momentId === undefined) return { at: readInstant(at ?? '', 'at'), momentId: null }
  const moment = await findMoment(call, sessionId, momentId)
  if (!moment) throw invalid('momentId', 'is no moment of this session')
  return { at: moment.at, momentId }
}

/** Says what a moment means, for good. */
export const annotate = async (
  call: WriteCall<ActorOf<'user'>>,
  sessionId: string,
  { meaning, text }: Body,
  moment: AnnotatedMoment,
): Promise<AnnotationRow> => {
  const session = await lockSession(call, sessionId)
  const isNamed = moment.momentId !== null
  checkPlace(session, isNamed ? undefined : moment.at, call.clock.now(), isNamed ? 'momentId' : 'at')
  return addRemark(call, session, 'annotation', { text, meaning, anchor: moment })
}
