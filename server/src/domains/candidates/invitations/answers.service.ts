import { type contactTopics, invalid, ServiceError } from '@integrity/protocol'
import type { By, Needs, Reads, WriteCall } from '../../../kernel/call.ts'
import type { ActorOf } from '../../../kernel/identity/actor.ts'
import { rateLimited } from '../../../kernel/rate-limited.ts'
import { iso } from '../../../kernel/time.ts'
import { lockSession } from '../../interviews/sessions/sessions.read.service.ts'
import type { SessionRow } from '../../interviews/sessions/sessions.types.ts'
import { endLinks, linkEnded, readLink, refuseEndedLink } from '../links/links.service.ts'
import { withdrawFromCalendars } from './calendar.service.ts'
import { type Held, readHeld } from './holder.service.ts'
import { giveContactBack, takeContact, updateInvitation } from './invitations.store.ts'
import { contactNotice, declinedNotice, type Notice } from './team.messages.ts'
import { sendToTeam } from './team-mail.service.ts'

const hourMs = 3_600_000
/** So many messages to the hiring team are taken from one invitation in an hour. */
const contactsPerHour = 10

const admitDeclining = ({ state }: SessionRow): void => {
  if (state === 'live') throw new ServiceError('conflict', 'the interview has begun; end it in the application')
  if (state === 'ended') throw new ServiceError('conflict', 'the interview has ended')
}

/** When the invitation of a link that was declined was declined; null where the link works. Throws for every other end. */
const declinedBefore = async (call: Reads & By<ActorOf<'link'>> & Needs<'clock'>): Promise<number | null> => {
  const { actor } = call
  const link = await readLink({ reader: call.reader, scope: call.scope }, actor.id)
  if (link?.endReason === 'declined') {
    const { declinedAt } = (await readHeld(call)).invitation
    if (declinedAt === null) throw linkEnded('declined')
    return declinedAt
  }
  await refuseEndedLink(call, actor.id)
  return null
}

/** Takes one of the hour's messages, in a transaction of its own: of a burst, no more than the ceiling get through. */
const takeTurn = async (call: Needs<'clock' | 'db' | 'scope'>, { invitation }: Held): Promise<number> => {
  const now = call.clock.now()
  return call.db.transact(async (tx) => {
    const taken = await takeContact(tx, call.scope, invitation.id, { now, windowMs: hourMs })
    if (!taken) throw new Error(`the invitation ${invitation.id} is gone`)
    const { count, since } = taken
    if (count <= contactsPerHour) return since
    throw rateLimited(`${contactsPerHour} messages in an hour are the ceiling of an invitation`, {
      limit: contactsPerHour,
      waitSeconds: (since + hourMs - now) / 1000,
      windowSeconds: hourMs / 1000,
    })
  })
}

/** Sends words of the candidate, which are kept nowhere, as one of the hour's messages. Throws when they were not sent. */
const mailWords = async (
  call: Reads & Needs<'clock' | 'db' | 'mail' | 'newId'>,
  held: Held,
  notice: Notice & { readonly replyTo: string | undefined },
): Promise<void> => {
  const { scope } = call
  const since = await takeTurn(call, held)
  try {
    await sendToTeam(call, { orgId: scope.orgId, invitation: held.invitation, notice })
  } catch (error) {
    await call.db.transact((tx) => giveContactBack(tx, scope, held.invitation.id, since))
    throw error
  }
}

/**
 * Before the transaction: a reason is sent now, because it is not kept. Answers whether the hiring team has been told
 * by that. Should the transaction fail, the candidate is told so and asks again, and the team hears of it twice, as it
 * does of two such requests at the same instant.
 */
export const sendReason = async (
  call: Reads & By<ActorOf<'link'>> & Needs<'clock' | 'db' | 'mail' | 'newId'>,
  reason: string | undefined,
): Promise<boolean> => {
  const { reader } = call.db
  if (reason === undefined || (await declinedBefore({ ...call, reader })) !== null) return false
  const held = await readHeld({ ...call, reader })
  admitDeclining(held.session)
  await mailWords(call, held, { ...declinedNotice({ ...held, reason }), replyTo: held.invitation.email || undefined })
  return true
}

/** Ends the link; declining again with it answers the same. */
export const declineInvitation = async (
  call: WriteCall<ActorOf<'link'>> & Needs<'credentials' | 'keyring'>,
  told: boolean,
): Promise<{ declinedAt: string }> => {
  const { tx, scope, actor } = call
  const { sessionId, subjectId: invitationId } = actor
  const session = await lockSession(call, sessionId)
  const before = await declinedBefore(call)
  const now = call.clock.now()
  if (before === null) {
    admitDeclining(session)
    await withdrawFromCalendars(call, { sessionId, invitationId })
    await updateInvitation(tx, scope, invitationId, { declinedAt: now })
    await endLinks(call, { of: { kind: 'invitation', subjectId: invitationId }, reason: 'declined' })
    if (!told) await call.jobs.enqueue(call, { kind: 'invitation.declined', payload: { invitationId } })
  }
  await call.audit.append(call, {
    action: 'invitation.declined',
    target: invitationId,
    sessionId,
    payload: { again: before !== null },
  })
  return { declinedAt: iso(before ?? now) }
}

export interface ContactInput {
  readonly topic: (typeof contactTopics)[number]
  readonly text: string
  readonly replyTo?: string | undefined
}

/** Before the transaction: mails the words to the hiring team. Throws when they were not sent. */
export const sendContact = async (
  call: Reads & By<ActorOf<'link'>> & Needs<'clock' | 'db' | 'mail' | 'newId'>,
  { topic, text, replyTo }: ContactInput,
): Promise<void> => {
  await refuseEndedLink(call, call.actor.id)
  const held = await readHeld(call)
  const answerTo = replyTo ?? held.invitation.email
  if (answerTo === '') throw invalid('replyTo', 'is needed: the invited address was erased')
  await mailWords(call, held, {
    ...contactNotice({ ...held, topic, text, replyTo: answerTo }),
    replyTo: answerTo,
  })
}

/** Records that a message was sent, and nothing of its words. */
export const recordContact = async (
  call: WriteCall<ActorOf<'link'>>,
  topic: ContactInput['topic'],
): Promise<{ sentAt: string }> => {
  const { actor } = call
  await call.audit.append(call, {
    action: 'invitation.contacted',
    target: actor.subjectId,
    sessionId: actor.sessionId,
    payload: { topic },
  })
  return { sentAt: iso(call.clock.now()) }
}
