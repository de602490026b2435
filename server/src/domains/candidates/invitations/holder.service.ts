import { agentLanes, consentLocaleFor, offeredAids, type readinessSteps, ServiceError } from '@integrity/protocol'
import type { By, Needs, Reads, WriteCall, Writes } from '../../../kernel/call.ts'
import type { ActorOf } from '../../../kernel/identity/actor.ts'
import { iso, isoOrNull } from '../../../kernel/time.ts'
import { consentDocument } from '../../interviews/sessions/consent/consent.model.ts'
import { createJoinLink, readJoining } from '../../interviews/sessions/joining/joining.service.ts'
import { askedOf } from '../../interviews/sessions/joining/window.service.ts'
import { getSession, lockSession } from '../../interviews/sessions/sessions.read.service.ts'
import type { SessionRow } from '../../interviews/sessions/sessions.types.ts'
import { brandOf } from '../../organisation/branding/branding.service.ts'
import { getOrg } from '../../organisation/orgs/orgs.service.ts'
import { memberName, organizerOf } from '../../organisation/people/people.service.ts'
import { readAppointment } from '../appointments/appointments.service.ts'
import { linkUrl, refuseEndedLink } from '../links/links.service.ts'
import { manifestInForce } from '../updates/updates.service.ts'
import { calendarWordsOf } from './candidate.messages.ts'
import { findInvitation, updateInvitation } from './invitations.store.ts'
import type { InvitationRow } from './invitations.types.ts'

/** The invitation that a link was made for, with its session. */
export interface Held {
  readonly invitation: InvitationRow
  readonly session: SessionRow
}

const invitationOf = async (call: Reads & By<ActorOf<'link'>>): Promise<InvitationRow> => {
  const { actor } = call
  const invitation = await findInvitation(call.reader, call.scope, actor.subjectId)
  if (!invitation) throw new Error(`the link ${actor.id} is of no invitation`)
  return invitation
}

export const readHeld = async (call: Reads & By<ActorOf<'link'>>): Promise<Held> => ({
  invitation: await invitationOf(call),
  session: await getSession(call, call.actor.sessionId),
})

/** The appointment of an invitation for a calendar, in words of its language and with the way back. */
export const readCalendar = async (call: Reads & By<ActorOf<'link'>> & Needs<'config'>, token: string) => {
  const { invitation, session } = await readHeld(call)
  const appointment = await readAppointment(call, session)
  const orgName = (await getOrg(call, call.scope.orgId)).name
  const url = linkUrl(call, { link: { kind: 'invitation', sessionId: session.id }, token })
  const schedule = appointment.schedule ?? appointment.cancelled
  const words = calendarWordsOf(invitation.locale, { orgName, schedule, url })
  const organizer = await organizerOf(call, { orgId: call.scope.orgId, userId: invitation.invitedBy.id })
  return { of: { sessionId: session.id, orgName, appointment, organizer }, words: { ...words, url } }
}

/** Both until the commit, with the link known to work: it may have ended since the request was let in. */
const lockHeld = async (call: Writes & By<ActorOf<'link'>> & Needs<'clock'>): Promise<Held> => {
  const { actor } = call
  const session = await lockSession(call, actor.sessionId)
  await refuseEndedLink(call, actor.id)
  return { invitation: await invitationOf(call), session }
}

/** The builds of the version that the operator offers now. */
const downloadsOf = async (call: Needs<'reader'>) => {
  const manifest = (await manifestInForce(call, { app: 'desktop_agent', channel: 'stable' }))?.content
  return (manifest?.builds ?? [])
    .filter(({ version }) => version === manifest?.latest.version)
    .map(({ platform, arch, version, url, sizeBytes }) => ({ platform, arch, version, url, sizeBytes }))
}

/** What the page behind the link shows. Every opening is audited; the first one is kept. */
export const inspectInvitation = async (
  call: WriteCall<ActorOf<'link'>> & Needs<'config'>,
  locale: string | undefined,
) => {
  const { tx, scope } = call
  const { invitation, session } = await lockHeld(call)
  const first = invitation.openedAt === null
  if (first) await updateInvitation(tx, scope, invitation.id, { openedAt: call.clock.now() })
  await call.audit.append(call, {
    action: 'invitation.opened',
    target: invitation.id,
    sessionId: session.id,
    payload: { first },
  })
  const { schedule, cancelledAt, cancelled, sequence, changedAt } = await readAppointment(call, session)
  const { id, name, locale: written, expiresAt, invitedBy } = invitation
  const person = await memberName(call, { orgId: scope.orgId, userId: invitedBy.id })
  const isNew = schedule !== null && sequence > 0 && changedAt > invitation.createdAt
  return {
    invitation: { id, name, locale: written, expiresAt: iso(expiresAt), invitedBy: person ?? null },
    org: await brandOf(call, await getOrg(call, scope.orgId)),
    session: {
      id: session.id,
      candidateLabel: session.candidateLabel,
      state: session.state,
      startedAt: isoOrNull(session.startedAt),
    },
    appointment: schedule,
    appointmentChangedAt: isNew ? iso(changedAt) : null,
    cancelledAppointment: cancelled,
    cancelledAt: isoOrNull(cancelledAt),
    consentDocument: consentDocument(await askedOf(call, session), agentLanes, consentLocaleFor(locale ?? written)),
    aids: offeredAids(session.config, consentLocaleFor(locale ?? written)),
    downloads: await downloadsOf(call),
  }
}

/** A join code of the candidate's, within the limits of the session. */
export const takeTicket = async (call: WriteCall<ActorOf<'link'>> & Needs<'config' | 'keyring'>) => {
  const { invitation, session } = await lockHeld(call)
  const { cancelledAt } = await readAppointment(call, session)
  if (cancelledAt !== null)
    throw new ServiceError(
      'conflict',
      'this appointment was cancelled; the hiring team will write when there is a new one',
    )
  const ticket = await createJoinLink(call, { sessionId: session.id, role: 'candidate' })
  if (invitation.ticketAt === null)
    await updateInvitation(call.tx, call.scope, invitation.id, { ticketAt: call.clock.now() })
  return ticket
}

/** From rows of the service alone, in the order in which it usually goes. */
export const readReadiness = async (call: Reads & By<ActorOf<'link'>>) => {
  const { invitation, session } = await readHeld(call)
  const { joinedAt, consentedAt } = await readJoining(call, session.id)
  const done: readonly (readonly [(typeof readinessSteps)[number], number | null])[] = [
    ['opened', invitation.openedAt],
    ['ticket', invitation.ticketAt],
    ['joined', joinedAt],
    ['consented', consentedAt],
    ['live', session.startedAt],
    ['ended', session.endedAt],
  ]
  return { steps: done.map(([step, at]) => ({ step, at: isoOrNull(at) })) }
}
