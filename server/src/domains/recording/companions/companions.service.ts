import { consentLocaleFor, laneEnabled, laneTitle, notFound, ServiceError } from '@integrity/protocol'
import type { By, Needs, Reads, WriteCall, Writes } from '../../../kernel/call.ts'
import type { ActorOf } from '../../../kernel/identity/actor.ts'
import { consentDocument } from '../../interviews/sessions/consent/consent.model.ts'
import { type DeviceConsent, recordDeviceConsent } from '../../interviews/sessions/consent/device-consent.service.ts'
import { countFailedClaim } from '../../interviews/sessions/joining/joining.limits.service.ts'
import {
  admitClaim,
  createJoinLink,
  endCredential,
  mintCredential,
  useJoinCode,
} from '../../interviews/sessions/joining/joining.service.ts'
import { askedOf } from '../../interviews/sessions/joining/window.service.ts'
import { getSession, lockSession } from '../../interviews/sessions/sessions.read.service.ts'
import type { SessionRow } from '../../interviews/sessions/sessions.types.ts'
import { joinedView } from '../../interviews/sessions/sessions.view.ts'
import { brandOf } from '../../organisation/branding/branding.service.ts'
import { getOrg } from '../../organisation/orgs/orgs.service.ts'
import { inviterOf } from '../../organisation/people/inviters.service.ts'
import {
  type CompanionRow,
  findByCredential,
  findNewest,
  insertCompanion,
  updateCompanion,
} from './companions.store.ts'
import { companionConfig, companionView } from './companions.view.ts'
import { companionEvent, tellLater } from './telling.service.ts'

type Phone = ActorOf<'companion'>

const documentOf = async (call: Reads & Needs<'clock' | 'config'>, session: SessionRow, locale: string | undefined) =>
  consentDocument(await askedOf(call, session), ['side_view'], consentLocaleFor(locale))

/** The phone behind a token, as it is in this session. */
export const companionOf = async (call: Reads & By<Phone>): Promise<CompanionRow> => {
  const { actor } = call
  const companion = await findByCredential(call.reader, call.scope, actor.sessionId, actor.id)
  if (!companion) throw notFound('companion')
  return companion
}

const letGo = async (
  call: Writes & Needs<'clock' | 'credentials' | 'db' | 'previews'>,
  companion: CompanionRow,
  reason: string,
): Promise<number> => {
  const { tx } = call
  const endedAt = await endCredential(call, companion.credentialId)
  if (companion.endedAt !== null) return companion.endedAt
  await updateCompanion(tx, call.scope, companion.id, { endedAt, endReason: reason })
  tx.afterCommit(() => call.previews.drop(companion.sessionId))
  return endedAt
}

const findPaired = async (call: Reads, sessionId: string): Promise<CompanionRow | undefined> => {
  const newest = await findNewest(call.reader, call.scope, sessionId)
  return newest?.endedAt === null ? newest : undefined
}

/** Only a code that was issued after the first phone was paired says that somebody wants another one. */
const replaces = (issuedAt: number, paired: CompanionRow): boolean => issuedAt > paired.pairedAt

const makeRoom = async (
  call: Writes & Needs<'clock' | 'credentials' | 'db' | 'previews'>,
  sessionId: string,
  issuedAt: number,
): Promise<void> => {
  const before = await findPaired(call, sessionId)
  if (!before) return
  if (!replaces(issuedAt, before))
    throw new ServiceError(
      'conflict',
      'a phone is paired with this interview already: unpair it, or ask for a new code',
    )
  await letGo(call, before, 'replaced')
}

const admitSideView = (session: SessionRow): void => {
  if (!laneEnabled(session.config, 'side_view'))
    throw new ServiceError('conflict', `${laneTitle('side_view')}: not part of this interview`)
}

/** A code that the agent shows to the candidate, so that nobody has to send it: the same as any other code for a phone. */
export const linkPhone = async (call: WriteCall<ActorOf<'agent'>> & Needs<'config' | 'keyring'>) => {
  const { actor } = call
  admitSideView(await lockSession(call, actor.sessionId))
  return createJoinLink(call, { sessionId: actor.sessionId, role: 'companion' })
}

/** Before the transaction: the ceilings on claims. A code that a paired phone has superseded counts as a failed one too. */
export const admitPairing = async (
  call: Needs<'clock' | 'config' | 'keyring' | 'rate' | 'reader'>,
  joinCode: string,
): Promise<void> => {
  const { sessionId, createdAt, ...scope } = await admitClaim(call, { typed: joinCode, role: 'companion' })
  const paired = await findPaired({ ...call, scope }, sessionId)
  if (paired && !replaces(createdAt, paired)) await countFailedClaim(call, { sessionId, role: 'companion' })
}

interface ClaimPairingInput {
  readonly joinCode: string
  readonly device?: Record<string, unknown> | undefined
  readonly locale?: string | undefined
}

/**
 * Pairs a phone by its code, once, for a token of its own. A code has 40 random bits and lives 15 minutes; an address
 * has 20 wrong ones a minute (`failuresPerAddress`): with a thousand codes open it finds one in 52 years on average.
 * Codes that name their session are limited by session too (`joining.limits.service.ts`).
 */
export const claimPairing = async (
  call: Needs<
    'audit' | 'clock' | 'config' | 'credentials' | 'db' | 'keyring' | 'newId' | 'outbox' | 'previews' | 'reader' | 'tx'
  >,
  { joinCode, device, locale }: ClaimPairingInput,
) => {
  const { tx } = call
  const { scope, session, issuedAt } = await useJoinCode(call, { typed: joinCode, role: 'companion' })
  admitSideView(session)
  await makeRoom({ ...call, scope }, session.id, issuedAt)
  const now = call.clock.now()
  const id = call.newId('cpn')
  const credentialId = call.newId('crd')
  const { token, expiresAt } = await mintCredential(
    { ...call, scope },
    {
      id: credentialId,
      sessionId: session.id,
      kind: 'companion',
      label: 'companion token',
    },
  )
  await insertCompanion(tx, scope, { id, sessionId: session.id, credentialId, device, now })
  await call.audit.append(
    { tx, scope, actor: { kind: 'companion', id: credentialId } },
    {
      action: 'companion.paired',
      target: id,
      sessionId: session.id,
      payload: { device },
    },
  )
  await call.outbox.publish(
    { ...call, tx, scope },
    {
      type: 'companion.paired',
      sessionId: session.id,
      data: companionEvent(session, { companionId: id, at: now }),
    },
  )
  const org = await getOrg(call, scope.orgId)
  return {
    companionId: id,
    companionToken: token,
    expiresAt,
    session: joinedView(session),
    org: await brandOf(call, org),
    inviter: await inviterOf({ reader: call.reader, scope }, session.id),
    config: companionConfig(session.config),
    consentDocument: await documentOf({ ...call, scope }, session, locale),
  }
}

/** With the document of the phone's lane where it is asked for in a language. */
export const readCompanion = async (
  call: Reads & Needs<'clock' | 'config'>,
  { sessionId, locale }: { readonly sessionId: string; readonly locale?: string | undefined },
) => {
  const session = await getSession(call, sessionId)
  const view = companionView(session, await findNewest(call.reader, call.scope, sessionId))
  return locale === undefined ? view : { ...view, consentDocument: await documentOf(call, session, locale) }
}

/** What the phone of a session does, which the caller has found in this scope. */
export const phoneOf = async (call: Reads, session: Pick<SessionRow, 'id' | 'config' | 'consent'>) =>
  companionView(session, await findNewest(call.reader, call.scope, session.id))

export const consentToSideView = async (
  call: WriteCall<Phone> & Needs<'config' | 'previews'>,
  input: DeviceConsent,
) => {
  const session = await lockSession(call, call.actor.sessionId)
  await recordDeviceConsent(call, { session, input })
  if (!input.accepted) call.tx.afterCommit(() => call.previews.drop(session.id))
  return readCompanion(call, { sessionId: session.id })
}

/** Lets the phone go; again gives the same answer. */
export const unpair = async (call: WriteCall<Phone> & Needs<'credentials' | 'db' | 'previews'>) => {
  const { actor } = call
  const session = await lockSession(call, actor.sessionId)
  const companion = await companionOf(call)
  const again = companion.endedAt !== null
  const unpairedAt = await letGo(call, companion, 'unpaired')
  await call.audit.append(call, {
    action: 'companion.unpaired',
    target: companion.id,
    sessionId: session.id,
    payload: { again },
  })
  if (!again && companion.recording !== 'off')
    await tellLater(call, { companion, events: [{ type: 'recording_stopped', at: unpairedAt }] })
  return { companionId: companion.id, unpairedAt: new Date(unpairedAt).toISOString() }
}
