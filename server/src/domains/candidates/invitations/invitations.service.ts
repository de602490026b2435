import { consentLocaleFor, invitationsPerSession, notFound, ServiceError } from '@integrity/protocol'
import { takeMail } from '../../../kernel/attempts/mail-ceilings.ts'
import type { Needs, Reads, WriteCall } from '../../../kernel/call.ts'
import type { ActorOf } from '../../../kernel/identity/actor.ts'
import { addWords } from '../../interviews/sessions/lists/session-words.service.ts'
import { lockSession } from '../../interviews/sessions/sessions.read.service.ts'
import { readAppointment } from '../appointments/appointments.service.ts'
import { endLinks } from '../links/links.service.ts'
import { withdrawFromCalendars } from './calendar.service.ts'
import { admitInviting, admitResend, linkExpiresAt, statusOf } from './invitations.policy.ts'
import { sendNewLink } from './invitations.send.service.ts'
import { findInvitation, insertInvitation, listInvitations, updateInvitation } from './invitations.store.ts'
import type { InvitationRow } from './invitations.types.ts'

/** The one invitation of a session whose link works, where there is one. */
export const findLive = async (
  call: Reads,
  { sessionId, now }: { readonly sessionId: string; readonly now: number },
): Promise<InvitationRow | undefined> =>
  (await listInvitations(call.reader, call.scope, sessionId)).find((row) => statusOf(row, now) === 'live')

const getInvitation = async (call: Reads, sessionId: string, id: string): Promise<InvitationRow> => {
  const row = await findInvitation(call.reader, call.scope, id)
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
  call: WriteCall & Needs<'credentials' | 'keyring'>,
  {
    sessionId,
    input,
    invitedBy,
  }: { readonly sessionId: string; readonly input: InviteInput; readonly invitedBy: InvitationRow['invitedBy'] },
): Promise<InvitationRow> => {
  const { tx, scope } = call
  const now = call.clock.now()
  const session = await lockSession(call, sessionId)
  admitInviting(session, await readAppointment(call, session), now)
  const earlier = await listInvitations(tx, scope, sessionId)
  if (earlier.some((row) => statusOf(row, now) === 'live'))
    throw new ServiceError('conflict', 'this session has a live invitation already; resend or revoke that one')
  if (earlier.length >= invitationsPerSession)
    throw new ServiceError('conflict', `${invitationsPerSession} invitations are the limit of one session`)
  const { email, name = null, message = null } = input
  await takeMail(call, { orgId: scope.orgId, email, as: 'candidate' })
  const id = call.newId('ivn')
  await insertInvitation(tx, scope, {
    id,
    sessionId,
    email,
    name,
    locale: consentLocaleFor(input.locale),
    message,
    invitedBy,
    createdAt: now,
    expiresAt: linkExpiresAt(session.schedule, now),
  })
  await addWords(call, { sessionId, texts: [name, email] })
  await sendNewLink(call, { invitation: { id, sentAt: null, mailKind: null }, session, message: 'invited' })
  await call.audit.append(call, {
    action: 'invitation.created',
    target: id,
    sessionId,
    payload: { email, name },
  })
  return getInvitation(call, sessionId, id)
}

/** Which invitation of which session. */
export interface InvitationPath {
  readonly id: string
  readonly invitationId: string
}

/** A new link in a new message; one that had expired works again. */
export const resendInvitation = async (
  call: WriteCall<ActorOf<'user'>> & Needs<'credentials' | 'keyring'>,
  { id: sessionId, invitationId }: InvitationPath,
): Promise<InvitationRow> => {
  const { tx, scope } = call
  const now = call.clock.now()
  const session = await lockSession(call, sessionId)
  const row = await getInvitation(call, sessionId, invitationId)
  admitInviting(session, await readAppointment(call, session), now)
  admitResend(row, await listInvitations(tx, scope, sessionId), now)
  await takeMail(call, { orgId: scope.orgId, email: row.email, as: 'candidate' })
  await sendNewLink(call, { invitation: row, session, message: 'again' })
  await call.audit.append(call, {
    action: 'invitation.resent',
    target: invitationId,
    sessionId,
  })
  return getInvitation(call, sessionId, invitationId)
}

/** Ends the link, once. Only a calendar that was asked to keep the appointment is told. One that was declined stays as it is. */
export const revokeInvitation = async (
  call: WriteCall<ActorOf<'user'>> & Needs<'credentials' | 'keyring'>,
  { id: sessionId, invitationId }: InvitationPath,
): Promise<InvitationRow> => {
  const { tx, scope } = call
  await lockSession(call, sessionId)
  const row = await getInvitation(call, sessionId, invitationId)
  const again = row.revokedAt !== null || row.declinedAt !== null
  if (!again) {
    await withdrawFromCalendars(call, { sessionId, invitationId })
    await updateInvitation(tx, scope, invitationId, { revokedAt: call.clock.now() })
    await endLinks(call, { of: { kind: 'invitation', subjectId: invitationId }, reason: 'revoked' })
    // Whoever was invited by mistake may have exchanged the invitation already.
    await endLinks(call, { of: { kind: 'candidate_request', subjectId: sessionId }, reason: 'revoked' })
  }
  await call.audit.append(call, {
    action: 'invitation.revoked',
    target: invitationId,
    sessionId,
    payload: { again },
  })
  return getInvitation(call, sessionId, invitationId)
}
