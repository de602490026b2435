import { randomBytes } from 'node:crypto'
import {
  joinCodeFrom,
  normaliseJoinCode,
  notFound,
  ServiceError,
  secretPrefixes,
  showJoinCode,
} from '@integrity/protocol'
import type { AppContext } from '../../app/context.ts'
import type { Actor } from '../../platform/actor.ts'
import { hashSecret, newSecret } from '../../platform/crypto/secrets.ts'
import type { Tx } from '../../platform/db/types.ts'
import type { Scope } from '../../platform/scope.ts'
import { getOrg } from '../orgs/orgs.service.ts'
import { consentDocument } from './consent.ts'
import { credentialLifetimeMs, insertCredential } from './credentials.store.ts'
import { findTicketByCode, insertTicket, type TicketRole, useTicket } from './joining.store.ts'
import { lockSession } from './sessions.service.ts'

const lifetimeMs: Record<TicketRole, number> = { candidate: 24 * 3_600_000, companion: 15 * 60_000 }

/** Codes are few enough to type and too many to guess, so they are stored under a keyed hash, not a bare one. */
const codeHash = (app: AppContext, code: string): string => hashSecret(`join-code:${app.keyring.keyId}:${code}`)

const unusable = () =>
  new ServiceError(
    'not_found',
    'this join code is not valid: it may be mistyped, used already, or expired. Ask for a new one.',
  )

export const createJoinLink = async (
  app: AppContext,
  tx: Tx,
  scope: Scope,
  actor: Actor,
  sessionId: string,
  role: TicketRole,
) => {
  const session = await lockSession(tx, scope, sessionId)
  if (session.state === 'ended') throw new ServiceError('conflict', 'this session has ended; nobody can join it')
  const code = joinCodeFrom(randomBytes(5))
  const now = app.clock.now()
  const expiresAt = now + lifetimeMs[role]
  await insertTicket(
    tx,
    scope,
    { id: app.newId('jtk'), sessionId, role, codeHash: codeHash(app, code), expiresAt },
    now,
  )
  await app.audit.append(tx, scope.orgId, {
    actor,
    action: 'session.join_link_created',
    target: sessionId,
    sessionId,
    payload: { role },
  })
  const shown = showJoinCode(code)
  const server = encodeURIComponent(app.config.baseUrl)
  const url =
    role === 'candidate'
      ? `integrity-agent://join?code=${shown}&server=${server}`
      : `${app.config.baseUrl}/companion/#${shown}`
  return { joinCode: shown, expiresAt: new Date(expiresAt).toISOString(), role, url }
}

export const createRoomDevice = async (
  app: AppContext,
  tx: Tx,
  scope: Scope,
  actor: Actor,
  sessionId: string,
  label?: string,
) => {
  const session = await lockSession(tx, scope, sessionId)
  if (session.state === 'ended') throw new ServiceError('conflict', 'this session has ended; no room can be added')
  const secret = newSecret(secretPrefixes.room)
  const id = app.newId('rmd')
  const credential = { id, sessionId, kind: 'room', tokenHash: secret.hash, label: label ?? null } as const
  await insertCredential(tx, scope, credential, app.clock.now())
  await app.audit.append(tx, scope.orgId, {
    actor,
    action: 'session.room_device_created',
    target: id,
    sessionId,
    payload: { label },
  })
  const url = `${app.config.baseUrl}/room/#${sessionId}.${secret.token}`
  const expiresAt = new Date(app.clock.now() + credentialLifetimeMs).toISOString()
  return { id, roomToken: secret.token, url, expiresAt }
}

/** Redeems a candidate's code, once, for a session token. Every failure reads the same. */
export const redeemJoinCode = async (
  app: AppContext,
  tx: Tx,
  typed: string,
  device: Record<string, unknown> | undefined,
) => {
  const code = normaliseJoinCode(typed)
  const ticket = code === undefined ? undefined : await findTicketByCode(tx, codeHash(app, code))
  const now = app.clock.now()
  if (ticket?.role !== 'candidate' || ticket.usedAt !== null || now >= ticket.expiresAt) throw unusable()
  const scope: Scope = { orgId: ticket.orgId, environment: ticket.environment }
  const session = await lockSession(tx, scope, ticket.sessionId)
  if (session.state === 'ended') throw new ServiceError('conflict', 'this session has already ended')
  if (!(await useTicket(tx, scope, ticket.ticketId, now))) throw unusable()
  const secret = newSecret(secretPrefixes.session)
  const id = app.newId('crd')
  await insertCredential(
    tx,
    scope,
    { id, sessionId: session.id, kind: 'agent', tokenHash: secret.hash, label: 'session token' },
    now,
  )
  await app.audit.append(tx, scope.orgId, {
    actor: { kind: 'agent', id },
    action: 'session.joined',
    target: session.id,
    sessionId: session.id,
    payload: { device },
  })
  const org = await getOrg(tx, scope.orgId)
  if (!org) throw notFound('organisation')
  return {
    sessionToken: secret.token,
    expiresAt: new Date(now + credentialLifetimeMs).toISOString(),
    session: { id: session.id, state: session.state, candidateLabel: session.candidateLabel },
    org: { name: org.name, brand: {} },
    config: session.config,
    consentDocument: consentDocument(session.config),
  }
}
