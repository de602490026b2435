import {
  agentLanes,
  evidenceTypeNames,
  evidenceTypes,
  type LaneName,
  ServiceError,
  type SessionConfig,
  typeEnabled,
} from '@integrity/protocol'
import type { AppContext } from '../../app/context.ts'
import type { ActorOf } from '../../platform/actor.ts'
import type { Tx } from '../../platform/db/types.ts'
import type { Scope } from '../../platform/scope.ts'
import { type ConsentDocument, type ConsentRecord, documentAnswered, laneGranted } from './consent.ts'
import { typesOfDevices } from './device-consent.service.ts'
import { insertConsent } from './joining.store.ts'
import { getSession, lockSession, readInstant, refuseErased } from './sessions.service.ts'
import { type SessionRow, touchContact, updateSession } from './sessions.store.ts'
import { iso, sessionRef } from './sessions.view.ts'

export interface RegisterInput {
  consent: {
    version: string
    locale: string
    documentHash: string
    acceptedAt: string
    lanes: Partial<Record<LaneName, boolean>>
  }
  device?: Record<string, string | undefined> | undefined
  permissions?: Record<string, string> | undefined
  capabilities?: readonly { observer: string; status: string; why?: string | undefined }[] | undefined
}

/** What was agreed, lane by lane. Only lanes of the document count; one that is not named is declined. */
const recordOf = (document: ConsentDocument, config: SessionConfig, input: RegisterInput['consent']): ConsentRecord => {
  const asked = new Set<LaneName>(document.lanes.map(({ lane }) => lane))
  const at = iso(readInstant(input.acceptedAt, 'consent.acceptedAt'))
  return {
    version: document.version,
    locale: document.locale,
    documentHash: document.hash,
    acceptedAt: at,
    lanes: Object.fromEntries(
      document.lanes.map(({ lane }) => [lane, { granted: input.lanes[lane] === true, at, withdrawnAt: null }]),
    ),
    evidenceTypes: evidenceTypeNames.filter((type) => asked.has(evidenceTypes[type].lane) && typeEnabled(config, type)),
  }
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

const sameChoice = (before: ConsentRecord | null, after: ConsentRecord): boolean =>
  before !== null &&
  before.documentHash === after.documentHash &&
  (Object.keys(after.lanes) as LaneName[]).every((lane) => laneGranted(before, lane) === laneGranted(after, lane))

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
 * that came back); with another consent it is a change of mind, kept beside the first.
 */
export const registerAgent = async (
  app: AppContext,
  tx: Tx,
  scope: Scope,
  actor: ActorOf<'agent'>,
  input: RegisterInput,
): Promise<SessionRow> => {
  const session = await lockSession(tx, scope, actor.sessionId)
  if (session.state === 'ended') throw new ServiceError('conflict', 'this session has ended')
  refuseErased(session)
  const document = documentAnswered(session.config, agentLanes, input.consent, 'consent.documentHash')
  const now = app.clock.now()
  const record = withDevices(recordOf(document, session.config, input.consent), session.consent)
  checkRequired(document, record)
  const unchanged = sameChoice(session.consent, record)
  if (!unchanged) {
    await insertConsent(
      tx,
      scope,
      {
        id: app.newId('cns'),
        sessionId: session.id,
        kind: 'agent',
        version: document.version,
        locale: document.locale,
        documentHash: document.hash,
        document: JSON.stringify(document),
        lanes: JSON.stringify(record.lanes),
        acceptedAt: Date.parse(input.consent.acceptedAt),
        credentialId: actor.id,
      },
      now,
    )
  }
  const first = session.startedAt === null
  await updateSession(tx, scope, session.id, {
    ...(unchanged ? {} : { consent: JSON.stringify(record) }),
    ...(first ? { state: 'live', startedAt: now, registeredAt: now } : {}),
    ...deviceColumns(input, now),
  })
  await touchContact(tx, scope, session.id, now)
  await app.audit.append(tx, scope.orgId, {
    actor,
    action: first || unchanged ? 'session.registered' : 'session.consent_changed',
    target: session.id,
    sessionId: session.id,
    payload: { documentHash: record.documentHash, lanes: input.consent.lanes, device: input.device },
  })
  const registered = await getSession(tx, scope, session.id)
  if (first)
    await app.outbox.publish(tx, scope, {
      type: 'session.started',
      sessionId: session.id,
      data: { session: sessionRef(registered) },
    })
  return registered
}

/** A lane withdrawn after registration stops at once; the rest of the consent stands. */
export const withdrawLane = async (
  app: AppContext,
  tx: Tx,
  scope: Scope,
  actor: ActorOf<'agent'>,
  lane: LaneName,
  at: string,
): Promise<void> => {
  // Read anew: the same batch may have withdrawn another lane a moment ago.
  const { id, consent } = await getSession(tx, scope, actor.sessionId)
  const given = consent?.lanes[lane]
  if (!consent || !given?.granted || given.withdrawnAt !== null) return
  const lanes = { ...consent.lanes, [lane]: { ...given, withdrawnAt: at } }
  await updateSession(tx, scope, id, { consent: JSON.stringify({ ...consent, lanes }) })
  const payload = { withdrawn: lane, at }
  await app.audit.append(tx, scope.orgId, {
    actor,
    action: 'session.consent_changed',
    target: id,
    sessionId: id,
    payload,
  })
}
