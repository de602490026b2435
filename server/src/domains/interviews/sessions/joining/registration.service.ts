import {
  agentLanes,
  evidenceTypeNames,
  evidenceTypes,
  invalid,
  type LaneName,
  ServiceError,
  type SessionConfig,
  typeEnabled,
} from '@integrity/protocol'
import type { Needs, WriteCall } from '../../../../kernel/call.ts'
import type { ActorOf } from '../../../../kernel/identity/actor.ts'
import { iso } from '../../../../kernel/time.ts'
import { registerCaptureKey } from '../../capture-keys/capture-keys.service.ts'
import { keepAnswer } from '../consent/answers.service.ts'
import { type ConsentDocument, type ConsentRecord, documentAnswered, laneGranted } from '../consent/consent.model.ts'
import { typesOfDevices } from '../consent/device-consent.service.ts'
import { answerRecords, sessionRecord } from '../lists/sessions.records.service.ts'
import { readInstant } from '../sessions.policy.ts'
import { getSession, lockSession } from '../sessions.read.service.ts'
import { changeState, updateSession } from '../sessions.store.ts'
import type { SessionRow } from '../sessions.types.ts'
import { sessionRef } from '../sessions.view.ts'
import { touchContact } from './sessions.gate.store.ts'
import { askedOf } from './window.service.ts'

export interface RegisterInput {
  consent: {
    version: string
    locale: string
    documentHash: string
    acceptedAt: string
    lanes: Partial<Record<LaneName, boolean>>
    /** Lanes whose earlier answer stands; only in a running session. */
    standing?: readonly LaneName[] | undefined
  }
  device?: Record<string, string | undefined> | undefined
  captureKey?: { key: string; signature: string } | undefined
  permissions?: Record<string, string> | undefined
  capabilities?: readonly { observer: string; status: string; why?: string | undefined }[] | undefined
}

const typesOfLanes = (config: SessionConfig, asked: ReadonlySet<LaneName>) =>
  evidenceTypeNames.filter((type) => asked.has(evidenceTypes[type].lane) && typeEnabled(config, type))

/** What was agreed, lane by lane. Only lanes of the document count; one that is not named is declined. */
const recordOf = (
  document: ConsentDocument,
  config: SessionConfig,
  input: RegisterInput['consent'],
  now: number,
): ConsentRecord => {
  const accepted = readInstant(input.acceptedAt, 'consent.acceptedAt')
  // From here on the lane is expected, so that no clock of a device may put it off.
  const at = iso(Math.min(accepted, now))
  return {
    version: document.version,
    locale: document.locale,
    documentHash: document.hash,
    acceptedAt: iso(accepted),
    lanes: Object.fromEntries(
      document.lanes.map(({ lane }) => [lane, { granted: input.lanes[lane] === true, at, withdrawnAt: null }]),
    ),
    evidenceTypes: typesOfLanes(config, new Set(document.lanes.map(({ lane }) => lane))),
  }
}

/**
 * An answer in a running session, to what the policy asks for since: the lanes that are named get it, everything that was
 * answered before stays, also for lanes that are switched off by now and still deliver what they captured.
 */
const laterAnswer = (
  record: ConsentRecord,
  before: ConsentRecord,
  config: SessionConfig,
  { lanes, standing = [] }: RegisterInput['consent'],
): ConsentRecord => {
  const answered = Object.entries(record.lanes).filter(
    ([lane]) => lanes[lane as LaneName] !== undefined && !standing.includes(lane as LaneName),
  )
  const named = new Set(answered.map(([lane]) => lane as LaneName))
  return {
    ...record,
    lanes: { ...before.lanes, ...Object.fromEntries(answered) },
    evidenceTypes: [...new Set([...(before.evidenceTypes ?? []), ...typesOfLanes(config, named)])],
  }
}

/** A lane that is agreed to once more, as where more of it is asked for, stays expected from its first time on. */
const sinceFirst = (record: ConsentRecord, before: ConsentRecord | null): ConsentRecord => {
  const lanes = Object.entries(record.lanes).map(([lane, answer]) => {
    const earlier = before?.lanes[lane as LaneName]
    const goesOn = answer.granted && earlier?.granted === true && earlier.withdrawnAt === null
    return [lane, goesOn ? { ...answer, at: earlier.at } : answer]
  })
  return { ...record, lanes: Object.fromEntries(lanes) }
}

/** The phone and the room have asked for lanes of their own; the agent's answer leaves theirs as they are. */
const withDevices = (record: ConsentRecord, before: ConsentRecord | null): ConsentRecord => {
  if (!before) return record
  const theirs = Object.entries(before.lanes).filter(([lane]) => !(agentLanes as readonly string[]).includes(lane))
  if (theirs.length === 0) return record
  return {
    ...record,
    lanes: { ...record.lanes, ...Object.fromEntries(theirs) },
    evidenceTypes: [...new Set([...(record.evidenceTypes ?? []), ...typesOfDevices(before)])],
  }
}

const checkRequired = (document: ConsentDocument, record: ConsentRecord): void => {
  const missing = document.lanes.filter(({ lane, required }) => required && !laneGranted(record, lane))
  if (missing.length === 0) return
  const names = missing.map(({ title }) => title).join(', ')
  throw new ServiceError('forbidden', `consent to a required part is missing: ${names}`, {
    details: missing.map(({ lane, title }) => ({ path: `consent.lanes.${lane}`, message: `${title} is required` })),
  })
}

const sameTypes = (before: ConsentRecord, after: ConsentRecord): boolean =>
  before.evidenceTypes === undefined ||
  (after.evidenceTypes ?? []).every((type) => before.evidenceTypes?.includes(type) === true)

const sameChoice = (before: ConsentRecord | null, after: ConsentRecord): boolean =>
  before !== null &&
  before.documentHash === after.documentHash &&
  sameTypes(before, after) &&
  (Object.keys(after.lanes) as LaneName[]).every((lane) => laneGranted(before, lane) === laneGranted(after, lane))

/** A first answer is to the whole document; one with `standing` adds to what was answered before. */
const answerOf = (
  session: SessionRow,
  document: ConsentDocument,
  input: RegisterInput['consent'],
  now: number,
): ConsentRecord => {
  const { config, consent: before } = session
  const record = recordOf(document, config, input, now)
  if (input.standing !== undefined) {
    if (before?.documentHash === undefined)
      throw invalid('consent.standing', 'nothing was answered before in this session')
    return laterAnswer(record, before, config, input)
  }
  const whole = withDevices(record, before)
  checkRequired(document, whole)
  return whole
}

const timesOf = (permissions: Record<string, string>, now: number): Record<string, number> =>
  Object.fromEntries(Object.keys(permissions).map((name) => [name, now]))

const deviceColumns = (input: RegisterInput, now: number) => ({
  ...(input.device ? { device: JSON.stringify(input.device) } : {}),
  ...(input.permissions && {
    permissions: JSON.stringify(input.permissions),
    permissionTimes: JSON.stringify(timesOf(input.permissions, now)),
  }),
  ...(input.capabilities ? { capabilities: JSON.stringify(input.capabilities) } : {}),
})

/**
 * Registers the agent with consent: the session goes live. Again with the same consent is the same answer (an agent
 * that came back); with another consent it is a change of mind, kept beside the first. What the policy asks for while the
 * session runs is answered with `standing`: it adds to what was agreed, and no lane of it is required.
 */
export const registerAgent = async (
  call: WriteCall<ActorOf<'agent'>> & Needs<'config'>,
  input: RegisterInput,
): Promise<SessionRow> => {
  const { tx, scope, actor } = call
  const session = await lockSession(call, actor.sessionId)
  if (session.state === 'ended') throw new ServiceError('conflict', 'this session has ended')
  const document = documentAnswered(await askedOf(call, session), agentLanes, input.consent, 'consent.documentHash')
  const now = call.clock.now()
  const record = sinceFirst(answerOf(session, document, input.consent, now), session.consent)
  const unchanged = sameChoice(session.consent, record)
  const consentId = unchanged
    ? null
    : await keepAnswer(call, { document, lanes: record.lanes, at: input.consent.acceptedAt })
  const { captureKey } = input
  if (captureKey)
    await registerCaptureKey(call, {
      sessionId: session.id,
      registration: { ...captureKey, documentHash: input.consent.documentHash },
    })
  const first = session.startedAt === null
  await updateSession(tx, scope, session.id, {
    ...(unchanged ? {} : { consent: JSON.stringify(record) }),
    ...(first ? { startedAt: now, registeredAt: now } : {}),
    ...deviceColumns(input, now),
  })
  await touchContact(tx, scope, session.id, now)
  await call.audit.append(call, {
    action: first || unchanged ? 'session.registered' : 'session.consent_changed',
    target: session.id,
    sessionId: session.id,
    payload: {
      documentHash: record.documentHash,
      lanes: input.consent.lanes,
      standing: input.consent.standing,
      device: input.device,
      captureKey: captureKey?.key,
    },
    records: await answerRecords(call, { sessionId: session.id, consentId, ...(first && { state: 'live' as const }) }),
  })
  // Counts come behind the organisation's head, which the audit row has locked, as where sessions are made.
  if (first) await changeState(tx, scope, session, 'live')
  const registered = await getSession(call, session.id)
  if (first)
    await call.outbox.publish(call, {
      type: 'session.started',
      sessionId: session.id,
      data: { session: sessionRef(registered) },
    })
  return registered
}

/** A lane withdrawn after registration stops at once; the rest of the consent stands. */
export const withdrawLane = async (
  call: WriteCall<ActorOf<'agent'>>,
  { lane, at }: { readonly lane: LaneName; readonly at: string },
): Promise<void> => {
  const { tx, scope, actor } = call
  // Read again: the same batch may have withdrawn another lane a moment ago.
  const { id, consent } = await getSession(call, actor.sessionId)
  const given = consent?.lanes[lane]
  if (!consent || !given?.granted || given.withdrawnAt !== null) return
  const lanes = { ...consent.lanes, [lane]: { ...given, withdrawnAt: at } }
  await updateSession(tx, scope, id, { consent: JSON.stringify({ ...consent, lanes }) })
  const payload = { withdrawn: lane, at }
  await call.audit.append(call, {
    action: 'session.consent_changed',
    target: id,
    sessionId: id,
    payload,
    records: await sessionRecord(call, { sessionId: id }),
  })
}
