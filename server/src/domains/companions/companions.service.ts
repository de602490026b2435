import { consentLocaleFor, laneEnabled, laneTitle, notFound, ServiceError } from '@integrity/protocol'
import type { ActorOf } from '../../kernel/actor.ts'
import type { AppContext } from '../../kernel/parts.ts'
import type { Scope } from '../../kernel/scope.ts'
import type { Reader, Tx } from '../../platform/db/types.ts'
import { brandOf, getOrg } from '../orgs/orgs.service.ts'
import { consentDocument } from '../sessions/consent.ts'
import { type DeviceConsent, recordDeviceConsent } from '../sessions/device-consent.service.ts'
import { countFailedClaim } from '../sessions/joining.limits.service.ts'
import { admitClaim, createJoinLink, endCredential, mintCredential, useJoinCode } from '../sessions/joining.service.ts'
import { getSession, lockSession, type SessionRow, sessionRef } from '../sessions/sessions.service.ts'
import {
  type CompanionRow,
  findByCredential,
  findNewest,
  insertCompanion,
  updateCompanion,
} from './companions.store.ts'
import { companionConfig, companionView } from './companions.view.ts'
import { livePreviews } from './previews.ts'

type Phone = ActorOf<'companion'>

/** What a companion event says. `at` is epoch milliseconds. */
export const companionEvent = (session: SessionRow, companionId: string, at: number) => ({
  session: sessionRef(session),
  companion: { id: companionId },
  at: new Date(at).toISOString(),
})

/** The phone behind a token, as it is in this session. */
export const companionOf = async (reader: Reader, scope: Scope, actor: Phone): Promise<CompanionRow> => {
  const companion = await findByCredential(reader, scope, actor.sessionId, actor.id)
  if (!companion) throw notFound('companion')
  return companion
}

const letGo = async (
  app: AppContext,
  tx: Tx,
  scope: Scope,
  companion: CompanionRow,
  reason: string,
): Promise<number> => {
  const endedAt = await endCredential(app, tx, scope, companion.credentialId)
  if (companion.endedAt !== null) return companion.endedAt
  await updateCompanion(tx, scope, companion.id, { endedAt, endReason: reason })
  tx.afterCommit(() => livePreviews(app).drop(companion.sessionId))
  return endedAt
}

const findPaired = async (reader: Reader, scope: Scope, sessionId: string): Promise<CompanionRow | undefined> => {
  const newest = await findNewest(reader, scope, sessionId)
  return newest?.endedAt === null ? newest : undefined
}

/** Only a code that was issued after the first phone was paired says that somebody wants another one. */
const replaces = (issuedAt: number, paired: CompanionRow): boolean => issuedAt > paired.pairedAt

const makeRoom = async (app: AppContext, tx: Tx, scope: Scope, sessionId: string, issuedAt: number): Promise<void> => {
  const before = await findPaired(tx, scope, sessionId)
  if (!before) return
  if (!replaces(issuedAt, before))
    throw new ServiceError(
      'conflict',
      'a phone is paired with this interview already: unpair it, or ask for a new code',
    )
  await letGo(app, tx, scope, before, 'replaced')
}

const admitSideView = (session: SessionRow): void => {
  if (!laneEnabled(session.config, 'side_view'))
    throw new ServiceError('conflict', `${laneTitle('side_view')}: not part of this interview`)
}

/** A code that the agent shows to the candidate, so that nobody has to send it: the same as any other code for a phone. */
export const linkPhone = async (app: AppContext, tx: Tx, scope: Scope, actor: ActorOf<'agent'>) => {
  admitSideView(await lockSession(tx, scope, actor.sessionId))
  return createJoinLink(app, tx, scope, actor, actor.sessionId, 'companion')
}

/** Before the transaction: the ceilings on claims. A code that a paired phone has superseded counts as a failed one too. */
export const admitPairing = async (app: AppContext, joinCode: string): Promise<void> => {
  const { sessionId, createdAt, ...scope } = await admitClaim(app, joinCode, 'companion')
  const paired = await findPaired(app.db.reader, scope, sessionId)
  if (paired && !replaces(createdAt, paired)) await countFailedClaim(app, sessionId, 'companion')
}

/**
 * Pairs a phone by its code, once, for a token of its own. A code has 40 random bits and lives 15 minutes; an address
 * has 20 wrong ones a minute (`failuresPerAddress`): with a thousand codes open it finds one in 52 years on average.
 * Codes that name their session are limited by session too (`joining.limits.service.ts`).
 */
export const claimPairing = async (
  app: AppContext,
  tx: Tx,
  joinCode: string,
  { device, locale }: { device?: Record<string, unknown> | undefined; locale?: string | undefined },
) => {
  const { scope, session, issuedAt } = await useJoinCode(app, tx, joinCode, 'companion')
  admitSideView(session)
  await makeRoom(app, tx, scope, session.id, issuedAt)
  const now = app.clock.now()
  const id = app.newId('cpn')
  const credentialId = app.newId('crd')
  const { token, expiresAt } = await mintCredential(app, tx, scope, {
    id: credentialId,
    sessionId: session.id,
    kind: 'companion',
    label: 'companion token',
  })
  await insertCompanion(tx, scope, { id, sessionId: session.id, credentialId, device, now })
  await app.audit.append(tx, scope.orgId, {
    actor: { kind: 'companion', id: credentialId },
    action: 'companion.paired',
    target: id,
    sessionId: session.id,
    payload: { device },
  })
  await app.outbox.publish(tx, scope, {
    type: 'companion.paired',
    sessionId: session.id,
    data: companionEvent(session, id, now),
  })
  const org = await getOrg(tx, scope.orgId)
  return {
    companionId: id,
    companionToken: token,
    expiresAt,
    session: { id: session.id, state: session.state, candidateLabel: session.candidateLabel },
    org: brandOf(org),
    config: companionConfig(session.config),
    consentDocument: consentDocument(session.config, ['side_view'], consentLocaleFor(locale)),
  }
}

export const readCompanion = async (reader: Reader, scope: Scope, sessionId: string) =>
  companionView(await getSession(reader, scope, sessionId), await findNewest(reader, scope, sessionId))

export const consentToSideView = async (app: AppContext, tx: Tx, scope: Scope, actor: Phone, input: DeviceConsent) => {
  const session = await lockSession(tx, scope, actor.sessionId)
  await recordDeviceConsent(app, tx, scope, actor, session, input)
  if (!input.accepted) tx.afterCommit(() => livePreviews(app).drop(session.id))
  return readCompanion(tx, scope, session.id)
}

/** Lets the phone go; again gives the same answer. */
export const unpair = async (app: AppContext, tx: Tx, scope: Scope, actor: Phone) => {
  const session = await lockSession(tx, scope, actor.sessionId)
  const companion = await companionOf(tx, scope, actor)
  const again = companion.endedAt !== null
  const unpairedAt = await letGo(app, tx, scope, companion, 'unpaired')
  await app.audit.append(tx, scope.orgId, {
    actor,
    action: 'companion.unpaired',
    target: companion.id,
    sessionId: session.id,
    payload: { again },
  })
  if (!again && companion.recording !== 'off')
    await app.outbox.publish(tx, scope, {
      type: 'companion.recording_stopped',
      sessionId: session.id,
      data: companionEvent(session, companion.id, unpairedAt),
    })
  return { companionId: companion.id, unpairedAt: new Date(unpairedAt).toISOString() }
}
