import { consentLocaleFor, invitationsPerSession, notFound, ServiceError } from '@integrity/protocol'
import type { ActorOf } from '../../kernel/actor.ts'
import type { AppContext } from '../../kernel/parts.ts'
import type { Scope } from '../../kernel/scope.ts'
import type { Reader, Tx } from '../../platform/db/types.ts'
import { endLinks } from '../links/links.service.ts'
import { readAppointment } from '../scheduling/appointments.service.ts'
import { lockSession } from '../sessions/sessions.service.ts'
import { admitInviting, admitResend, linkExpiresAt, statusOf } from './invitations.policy.ts'
import { sendNewLink } from './invitations.send.service.ts'
import {
  findInvitation,
  type InvitationRow,
  insertInvitation,
  listInvitations,
  updateInvitation,
} from './invitations.store.ts'

export { type InvitationRow, listInvitations } from './invitations.store.ts'

/** The one invitation of a session whose link works, where there is one. */
export const findLive = async (
  reader: Reader,
  scope: Scope,
  sessionId: string,
  now: number,
): Promise<InvitationRow | undefined> =>
  (await listInvitations(reader, scope, sessionId)).find((row) => statusOf(row, now) === 'live')

const getInvitation = async (reader: Reader, scope: Scope, sessionId: string, id: string): Promise<InvitationRow> => {
  const row = await findInvitation(reader, scope, id)
  if (row?.sessionId !== sessionId) throw notFound('invitation')
  return row
}

export interface InviteInput {
  readonly email: string
  readonly name?: string | undefined
  readonly locale?: string | undefined
  readonly message?: string | undefined
}

export const createInvitation = async (
  app: AppContext,
  tx: Tx,
  scope: Scope,
  actor: ActorOf<'user'>,
  sessionId: string,
  input: InviteInput,
): Promise<InvitationRow> => {
  const now = app.clock.now()
  const session = await lockSession(tx, scope, sessionId)
  admitInviting(session, await readAppointment(tx, scope, session), now)
  const earlier = await listInvitations(tx, scope, sessionId)
  if (earlier.some((row) => statusOf(row, now) === 'live'))
    throw new ServiceError('conflict', 'this session has a live invitation already; resend or revoke that one')
  if (earlier.length >= invitationsPerSession)
    throw new ServiceError('conflict', `${invitationsPerSession} invitations of one session are the ceiling`)
  const { email, name = null, message = null } = input
  const id = app.newId('ivn')
  await insertInvitation(tx, scope, {
    id,
    sessionId,
    email,
    name,
    locale: consentLocaleFor(input.locale),
    message,
    invitedBy: { kind: actor.kind, id: actor.id, label: actor.email },
    createdAt: now,
    expiresAt: linkExpiresAt(session.schedule, now),
  })
  await sendNewLink(app, tx, scope, { id, sentAt: null, mailKind: null }, { session, message: 'invited' })
  await app.audit.append(tx, scope.orgId, {
    actor,
    action: 'invitation.created',
    target: id,
    sessionId,
    payload: { email, name },
  })
  return getInvitation(tx, scope, sessionId, id)
}

/** Which invitation of which session. */
export interface InvitationPath {
  readonly id: string
  readonly invitationId: string
}

/** A new link in a new message; one that had expired works again. */
export const resendInvitation = async (
  app: AppContext,
  tx: Tx,
  scope: Scope,
  actor: ActorOf<'user'>,
  { id: sessionId, invitationId }: InvitationPath,
): Promise<InvitationRow> => {
  const now = app.clock.now()
  const session = await lockSession(tx, scope, sessionId)
  const row = await getInvitation(tx, scope, sessionId, invitationId)
  admitInviting(session, await readAppointment(tx, scope, session), now)
  admitResend(row, await listInvitations(tx, scope, sessionId), now)
  await sendNewLink(app, tx, scope, row, { session, message: 'again' })
  await app.audit.append(tx, scope.orgId, { actor, action: 'invitation.resent', target: invitationId, sessionId })
  return getInvitation(tx, scope, sessionId, invitationId)
}

/** Ends the link, once, and writes to nobody. One that was declined stays as it is. */
export const revokeInvitation = async (
  app: AppContext,
  tx: Tx,
  scope: Scope,
  actor: ActorOf<'user'>,
  { id: sessionId, invitationId }: InvitationPath,
): Promise<InvitationRow> => {
  await lockSession(tx, scope, sessionId)
  const row = await getInvitation(tx, scope, sessionId, invitationId)
  const again = row.revokedAt !== null || row.declinedAt !== null
  if (!again) {
    await updateInvitation(tx, scope, invitationId, { revokedAt: app.clock.now() })
    await endLinks(app, tx, scope, { kind: 'invitation', subjectId: invitationId }, 'revoked')
    // Whoever was invited by mistake may have exchanged the invitation already.
    await endLinks(app, tx, scope, { kind: 'candidate_request', subjectId: sessionId }, 'revoked')
  }
  await app.audit.append(tx, scope.orgId, {
    actor,
    action: 'invitation.revoked',
    target: invitationId,
    sessionId,
    payload: { again },
  })
  return getInvitation(tx, scope, sessionId, invitationId)
}
