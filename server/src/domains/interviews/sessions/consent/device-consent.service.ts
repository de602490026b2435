import {
  type EvidenceType,
  evidenceTypeNames,
  evidenceTypes,
  laneEnabled,
  laneTitle,
  ServiceError,
} from '@integrity/protocol'
import type { Needs, Reads, WriteCall } from '../../../../kernel/call.ts'
import type { ActorOf } from '../../../../kernel/identity/actor.ts'
import { iso } from '../../../../kernel/time.ts'
import { askedOf } from '../joining/window.service.ts'
import { answerRecords } from '../lists/sessions.records.service.ts'
import { readInstant } from '../sessions.policy.ts'
import { updateSession } from '../sessions.store.ts'
import type { SessionRow } from '../sessions.types.ts'
import { keepAnswer } from './answers.service.ts'
import { type ConsentRecord, documentAnswered } from './consent.model.ts'
import { type ConsentRow, listConsents, listConsentsWithDocuments } from './consents.store.ts'
import { publishDecline } from './declining.service.ts'

/** Devices beside the agent, each with the one lane it asks consent for. */
const deviceLanes = { companion: 'side_view', room: 'room_camera' } as const
export type DeviceKind = keyof typeof deviceLanes

/** The evidence each device sends once it may. */
const typesOf: Record<DeviceKind, readonly EvidenceType[]> = {
  companion: evidenceTypeNames.filter((type) => evidenceTypes[type].lane === 'side_view'),
  room: ['camera_frame'],
}

/** What the phone and the room were told could be collected. */
export const typesOfDevices = (consent: ConsentRecord): EvidenceType[] =>
  (Object.keys(deviceLanes) as DeviceKind[])
    .filter((kind) => consent.lanes[deviceLanes[kind]] !== undefined)
    .flatMap((kind) => typesOf[kind])

export interface DeviceConsent {
  readonly locale: string
  readonly documentHash: string
  readonly accepted: boolean
  readonly acceptedAt: string
}

const refuse = (session: SessionRow, kind: DeviceKind): void => {
  const lane = deviceLanes[kind]
  if (session.state === 'ended') throw new ServiceError('conflict', 'this session has ended')
  if (!laneEnabled(session.config, lane))
    throw new ServiceError('forbidden', `${laneTitle(lane)}: not part of this interview`)
}

/**
 * Records the answer for a device's lane in a locked session: a row that keeps what was shown, and the session's
 * summary. Declining is an answer like any other. The same answer again changes nothing. Throws `conflict` with the
 * current document when another was shown, in the language of the answer.
 */
export const recordDeviceConsent = async (
  call: WriteCall<ActorOf<'companion' | 'room'>> & Needs<'config'>,
  { session, input }: { readonly session: SessionRow; readonly input: DeviceConsent },
): Promise<ConsentRecord> => {
  const { tx, scope, actor } = call
  refuse(session, actor.kind)
  const lane = deviceLanes[actor.kind]
  const document = documentAnswered(await askedOf(call, session), [lane], input, 'documentHash')
  const at = iso(readInstant(input.acceptedAt, 'acceptedAt'))
  const given = { granted: input.accepted, at, withdrawnAt: null }
  const before = session.consent ?? { lanes: {} }
  const known = before.lanes[lane]
  if (known && known.granted === given.granted && known.withdrawnAt === null) return before
  const types = [...new Set([...(before.evidenceTypes ?? []), ...typesOf[actor.kind]])]
  const record: ConsentRecord = { ...before, lanes: { ...before.lanes, [lane]: given }, evidenceTypes: types }
  await updateSession(tx, scope, session.id, { consent: JSON.stringify(record) })
  const consentId = await keepAnswer(call, { document, lanes: { [lane]: given }, at })
  await call.audit.append(call, {
    action: 'session.consent_changed',
    target: session.id,
    sessionId: session.id,
    payload: { documentHash: document.hash, lanes: { [lane]: input.accepted } },
    records: await answerRecords(call, { sessionId: session.id, consentId }),
  })
  if (!input.accepted) await publishDecline(call, { session, lanes: [lane], at })
  return record
}

/** What was answered for a device's lane, and when the service heard it (epoch milliseconds), oldest first. */
export const answersOfDevice = async (
  call: Reads,
  { sessionId, kind }: { readonly sessionId: string; readonly kind: DeviceKind },
) => {
  const rows = await listConsents(call.reader, call.scope, sessionId, kind)
  return rows.map(({ lanes, recordedAt }) => {
    const given = (JSON.parse(lanes) as ConsentRecord['lanes'])[deviceLanes[kind]]
    return { granted: given?.granted === true, at: recordedAt }
  })
}

/** Every answer of a session with the document that was shown, oldest first; `document` and `lanes` are JSON text. */
export const consentsWithDocuments = ({ reader, scope }: Reads, sessionId: string): Promise<ConsentRow[]> =>
  listConsentsWithDocuments(reader, scope, sessionId)
