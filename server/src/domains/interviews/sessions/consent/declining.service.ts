import { agentLanes, type LaneName, ServiceError, type SessionCredentialKind } from '@integrity/protocol'
import type { Needs, WriteCall } from '../../../../kernel/call.ts'
import type { ActorOf } from '../../../../kernel/identity/actor.ts'
import { iso } from '../../../../kernel/time.ts'
import { askedOf } from '../joining/window.service.ts'
import { answerRecords } from '../lists/sessions.records.service.ts'
import { readInstant } from '../sessions.policy.ts'
import { getSession, lockSession } from '../sessions.read.service.ts'
import { updateSession } from '../sessions.store.ts'
import type { SessionRow } from '../sessions.types.ts'
import { sessionRef } from '../sessions.view.ts'
import { keepAnswer } from './answers.service.ts'
import { type ConsentRecord, documentAnswered } from './consent.model.ts'

export interface Decline {
  readonly documentHash: string
  readonly locale: string
  readonly declinedAt: string
}

/** Tells the organisation of a no, whichever device it was said on. */
export const publishDecline = async (
  call: Needs<'tx' | 'reader' | 'scope' | 'outbox'> & { readonly actor: ActorOf<SessionCredentialKind> },
  { session, lanes, at }: { readonly session: SessionRow; readonly lanes: readonly LaneName[]; readonly at: string },
): Promise<void> => {
  await call.outbox.publish(call, {
    type: 'consent.declined',
    sessionId: session.id,
    data: { session: sessionRef(session), device: call.actor.kind, lanes: [...lanes], at },
  })
}

/**
 * Records that the candidate declined all that the agent asked for. Saying so again changes nothing. A running session has
 * other ways to say no: a lane is withdrawn, what is asked for later is declined, the session is ended.
 */
export const declineConsent = async (
  call: WriteCall<ActorOf<'agent'>> & Needs<'config'>,
  input: Decline,
): Promise<SessionRow> => {
  const { tx, scope, actor } = call
  const session = await lockSession(call, actor.sessionId)
  if (session.state === 'ended') throw new ServiceError('conflict', 'this session has ended')
  if (session.startedAt !== null) throw new ServiceError('conflict', 'this session is live; end it instead')
  const document = documentAnswered(await askedOf(call, session), agentLanes, input, 'documentHash')
  const asked = document.lanes.map(({ lane }) => lane)
  const before = session.consent
  const again = before?.documentHash === document.hash && asked.every((lane) => before.lanes[lane]?.granted === false)
  if (again) return session
  const at = iso(readInstant(input.declinedAt, 'declinedAt'))
  const lanes = Object.fromEntries(asked.map((lane) => [lane, { granted: false, at, withdrawnAt: null }]))
  const shown = { version: document.version, locale: document.locale, documentHash: document.hash }
  const record: ConsentRecord = { ...before, ...shown, lanes: { ...before?.lanes, ...lanes } }
  await updateSession(tx, scope, session.id, { consent: JSON.stringify(record) })
  const consentId = await keepAnswer(call, { document, lanes, at })
  await call.audit.append(call, {
    action: 'session.consent_declined',
    target: session.id,
    sessionId: session.id,
    payload: { documentHash: document.hash },
    records: await answerRecords(call, { sessionId: session.id, consentId }),
  })
  await publishDecline(call, { session, lanes: asked, at })
  return getSession(call, session.id)
}
