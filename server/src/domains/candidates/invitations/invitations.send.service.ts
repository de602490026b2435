import type { Needs, Writes } from '../../../kernel/call.ts'
import type { JobPayloads } from '../../../kernel/jobs.types.ts'
import type { SessionRow } from '../../interviews/sessions/sessions.types.ts'
import { issueLink, wrapLink } from '../links/links.service.ts'
import { linkExpiresAt } from './invitations.policy.ts'
import { updateInvitation } from './invitations.store.ts'
import type { InvitationRow } from './invitations.types.ts'

/** What a message is about: a first one, one more of the same, an appointment set, moved, cancelled. */
export const messageKinds = ['invited', 'again', 'set', 'moved', 'cancelled'] as const
export type MessageKind = (typeof messageKinds)[number]

/**
 * What to say where the message before has not gone out: who was never invited is invited, and what they have not been
 * told they are told now.
 */
const kindAfter = (
  { sentAt, mailKind }: Pick<InvitationRow, 'sentAt' | 'mailKind'>,
  next: MessageKind,
): MessageKind => {
  const waiting = sentAt === null ? messageKinds.find((kind) => kind === mailKind) : undefined
  if (waiting === undefined || waiting === 'cancelled' || next === 'cancelled') return next
  if (waiting === 'invited' || next === 'again') return waiting
  return waiting === 'set' ? 'set' : next
}

const enqueue = async (
  call: Writes & Needs<'jobs'>,
  payload: JobPayloads['invitation.message'],
): Promise<string | null> => call.jobs.enqueue(call, { kind: 'invitation.message', payload })

interface SendNewLinkInput {
  readonly invitation: Pick<InvitationRow, 'id' | 'sentAt' | 'mailKind'>
  readonly session: Pick<SessionRow, 'id' | 'schedule'>
  readonly message: MessageKind
}

/** Makes a new link, ends the earlier ones and has it sent. The session is locked. */
export const sendNewLink = async (
  call: Writes & Needs<'clock' | 'credentials' | 'jobs' | 'keyring' | 'newId'>,
  { invitation, session, message: next }: SendNewLinkInput,
): Promise<void> => {
  const { id } = invitation
  const message = kindAfter(invitation, next)
  const expiresAt = linkExpiresAt(session.schedule, call.clock.now())
  const wanted = { kind: 'invitation', sessionId: session.id, subjectId: id, expiresAt } as const
  const link = await issueLink(call, wanted)
  const mailJob = await enqueue(call, {
    sessionId: session.id,
    invitationId: id,
    message,
    linkId: link.id,
    wrapped: wrapLink(call, link),
  })
  await updateInvitation(call.tx, call.scope, id, {
    linkId: link.id,
    mailKind: message,
    mailJob,
    sentAt: null,
    refusedAt: null,
    expiresAt,
  })
}

/**
 * Tells of the cancelled appointment. The link that the candidate has stays; where its message has not been handed over,
 * nobody has it yet, and that message, which speaks of the appointment, must not be sent any more: then a new one is.
 */
export const sendCancellation = async (
  call: Writes & Needs<'clock' | 'credentials' | 'jobs' | 'keyring' | 'newId'>,
  { invitation, session }: { readonly invitation: InvitationRow; readonly session: Pick<SessionRow, 'id'> },
): Promise<void> => {
  const { id, linkId, sentAt } = invitation
  if (linkId === null || sentAt === null)
    return sendNewLink(call, { invitation, session: { id: session.id, schedule: null }, message: 'cancelled' })
  const mailJob = await enqueue(call, {
    sessionId: session.id,
    invitationId: id,
    message: 'cancelled',
    linkId,
  })
  await updateInvitation(call.tx, call.scope, id, { mailKind: 'cancelled', mailJob, sentAt: null, refusedAt: null })
}
