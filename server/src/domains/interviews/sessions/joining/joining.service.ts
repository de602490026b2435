import { randomBytes } from 'node:crypto'
import {
  agentLanes,
  consentLocaleFor,
  joinCodeFrom,
  normaliseJoinCode,
  ServiceError,
  secretPrefixes,
  showJoinCode,
} from '@integrity/protocol'
import type { Needs, Reads, WriteCall, Writes } from '../../../../kernel/call.ts'
import type { Actor } from '../../../../kernel/identity/actor.ts'
import type { Scope } from '../../../../kernel/identity/scope.ts'
import { newSecret } from '../../../../platform/crypto/secrets.ts'
import { brandOf } from '../../../organisation/branding/branding.service.ts'
import { getOrg } from '../../../organisation/orgs/orgs.service.ts'
import { inviterOf } from '../../../organisation/people/inviters.service.ts'
import { consentDocument } from '../consent/consent.model.ts'
import { listConsents } from '../consent/consents.store.ts'
import { announceChange } from '../live.wake.service.ts'
import { lockSession } from '../sessions.read.service.ts'
import type { SessionRow } from '../sessions.types.ts'
import { joinedView, meetingOf } from '../sessions.view.ts'
import { credentialLifetimeMs, findRevokedAt, insertCredential, revokeCredential } from './credentials.store.ts'
import { checkFailedClaims, checkIssuedCodes, countFailedClaim } from './joining.limits.service.ts'
import {
  findFirstUse,
  findTicketByCode,
  insertTicket,
  type Ticket,
  type TicketRole,
  useTicket,
} from './joining.store.ts'
import { askedOf } from './window.service.ts'

const lifetimeMs: Record<TicketRole, number> = { candidate: 24 * 3_600_000, companion: 15 * 60_000 }

/** Codes are few enough to try all of them, so they are stored under a MAC: a stolen database tells none. */
const codeHash = ({ keyring }: Needs<'keyring'>, code: string): string => keyring.mac('join-code', code)

const unusable = () =>
  new ServiceError(
    'not_found',
    'this join code is not valid: it may be mistyped, used already, or expired. Ask for a new one.',
  )

export const createJoinLink = async (
  call: WriteCall<Actor> & Needs<'config' | 'keyring'>,
  { sessionId, role }: { readonly sessionId: string; readonly role: TicketRole },
) => {
  const { tx, scope } = call
  const session = await lockSession(call, sessionId)
  if (session.state === 'ended') throw new ServiceError('conflict', 'this session has ended; nobody can join it')
  await checkIssuedCodes(call, { sessionId, role })
  const code = joinCodeFrom(randomBytes(5))
  const now = call.clock.now()
  const expiresAt = now + lifetimeMs[role]
  await insertTicket(
    tx,
    scope,
    { id: call.newId('jtk'), sessionId, role, codeHash: codeHash(call, code), expiresAt },
    now,
  )
  await call.audit.append(call, {
    action: 'session.join_link_created',
    target: sessionId,
    sessionId,
    payload: { role },
  })
  const shown = showJoinCode(code)
  const server = encodeURIComponent(call.config.baseUrl)
  const url =
    role === 'candidate'
      ? `integrity-agent://join?code=${shown}&server=${server}`
      : `${call.config.baseUrl}/companion/#${shown}`
  return { joinCode: shown, expiresAt: new Date(expiresAt).toISOString(), role, url }
}

export const createRoomDevice = async (
  call: WriteCall<Actor> & Needs<'config'>,
  { sessionId, label }: { readonly sessionId: string; readonly label?: string | undefined },
) => {
  const { tx, scope } = call
  const session = await lockSession(call, sessionId)
  if (session.state === 'ended') throw new ServiceError('conflict', 'this session has ended; no room can be added')
  const secret = newSecret(secretPrefixes.room)
  const id = call.newId('rmd')
  const credential = { id, sessionId, kind: 'room', tokenHash: secret.hash, label: label ?? null } as const
  await insertCredential(tx, scope, credential, call.clock.now())
  await call.audit.append(call, {
    action: 'session.room_device_created',
    target: id,
    sessionId,
    payload: { label },
  })
  const url = `${call.config.baseUrl}/room/#${sessionId}.${secret.token}`
  const expiresAt = new Date(call.clock.now() + credentialLifetimeMs).toISOString()
  return { id, roomToken: secret.token, url, expiresAt }
}

/** The code as typed: `undefined` for one that was never made. */
const ticketOf = async (call: Needs<'keyring' | 'reader'>, typed: string): Promise<Ticket | undefined> => {
  const code = normaliseJoinCode(typed)
  return code === undefined ? undefined : findTicketByCode(call.reader, codeHash(call, code))
}

const isOpen = (ticket: Ticket, role: TicketRole, now: number): boolean =>
  ticket.role === role && ticket.usedAt === null && now < ticket.expiresAt

/**
 * Before the transaction, as its undoing would undo the count: a code that is spent counts against its session, one that
 * was never made against the caller's address alone. Throws `rate_limited` while too many of a session have failed.
 */
export const admitClaim = async (
  call: Needs<'clock' | 'config' | 'keyring' | 'rate' | 'reader'>,
  { typed, role }: { readonly typed: string; readonly role: TicketRole },
): Promise<Ticket> => {
  const ticket = await ticketOf(call, typed)
  if (!ticket) throw unusable()
  await checkFailedClaims(call, { sessionId: ticket.sessionId, role })
  if (isOpen(ticket, role, call.clock.now())) return ticket
  await countFailedClaim(call, { sessionId: ticket.sessionId, role })
  throw unusable()
}

/**
 * Uses a code of this role up and answers its session, locked. Every failure reads the same. `issuedAt` is when the
 * code was made, epoch milliseconds.
 */
export const useJoinCode = async (
  call: Needs<'clock' | 'keyring' | 'reader' | 'tx'>,
  { typed, role }: { readonly typed: string; readonly role: TicketRole },
): Promise<{ scope: Scope; session: SessionRow; issuedAt: number }> => {
  const ticket = await ticketOf(call, typed)
  const now = call.clock.now()
  if (!ticket || !isOpen(ticket, role, now)) throw unusable()
  const scope: Scope = { orgId: ticket.orgId, environment: ticket.environment }
  const session = await lockSession({ ...call, scope }, ticket.sessionId)
  if (session.state === 'ended') throw new ServiceError('conflict', 'this session has already ended')
  if (!(await useTicket(call.tx, scope, ticket.ticketId, now))) throw unusable()
  return { scope, session, issuedAt: ticket.createdAt }
}

/**
 * When the candidate first joined by a code, and when the first answer to the consent document came in, by the service's
 * clock (epoch milliseconds); null: not yet. The caller has found the session in this scope.
 */
export const readJoining = async (
  call: Reads,
  sessionId: string,
): Promise<{ joinedAt: number | null; consentedAt: number | null }> => {
  const { reader, scope } = call
  const [joinedAt, consents] = await Promise.all([
    findFirstUse(reader, scope, sessionId, 'candidate'),
    listConsents(reader, scope, sessionId, 'agent'),
  ])
  return { joinedAt, consentedAt: consents[0]?.recordedAt ?? null }
}

/** Mints the token of a device of this session. `expiresAt` is the latest it can end. */
export const mintCredential = async (
  call: Writes & Needs<'clock'>,
  credential: { id: string; sessionId: string; kind: 'agent' | 'companion'; label: string },
): Promise<{ token: string; expiresAt: string }> => {
  const secret = newSecret(credential.kind === 'agent' ? secretPrefixes.session : secretPrefixes.companion)
  const now = call.clock.now()
  await insertCredential(call.tx, call.scope, { ...credential, tokenHash: secret.hash }, now)
  return { token: secret.token, expiresAt: new Date(now + credentialLifetimeMs).toISOString() }
}

/** Ends a device's token, once; answers when it ended. */
export const endCredential = async (
  call: Writes & Needs<'clock' | 'credentials' | 'db'>,
  id: string,
): Promise<number> => {
  const { tx, scope } = call
  const now = call.clock.now()
  tx.afterCommit(() => call.credentials.forget())
  announceChange(call)
  if (await revokeCredential(tx, scope, id, now)) return now
  return (await findRevokedAt(tx, scope, id)) ?? now
}

/** Redeems a candidate's code, once, for a session token. */
export const redeemJoinCode = async (
  call: Needs<'audit' | 'clock' | 'config' | 'keyring' | 'newId' | 'reader' | 'tx'>,
  input: { joinCode: string; device?: Record<string, unknown> | undefined; locale?: string | undefined },
) => {
  const { device, locale } = input
  const { scope, session } = await useJoinCode(call, { typed: input.joinCode, role: 'candidate' })
  const id = call.newId('crd')
  const { token, expiresAt } = await mintCredential(
    { ...call, scope },
    {
      id,
      sessionId: session.id,
      kind: 'agent',
      label: 'session token',
    },
  )
  await call.audit.append(
    { tx: call.tx, scope, actor: { kind: 'agent', id } },
    {
      action: 'session.joined',
      target: session.id,
      sessionId: session.id,
      payload: { device },
    },
  )
  const org = await getOrg(call, scope.orgId)
  const asked = await askedOf({ ...call, scope }, session)
  const { notice: _, ...config } = asked
  return {
    sessionToken: token,
    expiresAt,
    session: joinedView(session),
    org: await brandOf(call, org),
    inviter: await inviterOf({ reader: call.reader, scope }, session.id),
    config,
    meeting: meetingOf(session),
    consentDocument: consentDocument(asked, agentLanes, consentLocaleFor(locale)),
  }
}
