import { agentLanes, consentLocaleFor, type readinessSteps, ServiceError } from '@integrity/protocol'
import type { ActorOf } from '../../kernel/actor.ts'
import type { AppContext } from '../../kernel/parts.ts'
import type { Scope } from '../../kernel/scope.ts'
import type { Reader, Tx } from '../../platform/db/types.ts'
import { refuseEndedLink } from '../links/links.service.ts'
import { brandOf, getOrg } from '../orgs/orgs.service.ts'
import { readAppointment } from '../scheduling/appointments.service.ts'
import { consentDocument } from '../sessions/consent.ts'
import { createJoinLink, readJoining } from '../sessions/joining.service.ts'
import { getSession, lockSession, type SessionRow } from '../sessions/sessions.service.ts'
import { iso, isoOrNull } from '../sessions/sessions.view.ts'
import { manifestInForce } from '../updates/updates.service.ts'
import { findInvitation, type InvitationRow, updateInvitation } from './invitations.store.ts'

/** The invitation that a link was made for, with its session. */
export interface Held {
  readonly invitation: InvitationRow
  readonly session: SessionRow
}

const invitationOf = async (reader: Reader, scope: Scope, actor: ActorOf<'link'>): Promise<InvitationRow> => {
  const invitation = await findInvitation(reader, scope, actor.subjectId)
  if (!invitation) throw new Error(`the link ${actor.id} is of no invitation`)
  return invitation
}

export const readHeld = async (reader: Reader, scope: Scope, actor: ActorOf<'link'>): Promise<Held> => ({
  invitation: await invitationOf(reader, scope, actor),
  session: await getSession(reader, scope, actor.sessionId),
})

/** Both until the commit, with the link known to work: it may have ended since the request was let in. */
const lockHeld = async (app: AppContext, tx: Tx, scope: Scope, actor: ActorOf<'link'>): Promise<Held> => {
  const session = await lockSession(tx, scope, actor.sessionId)
  await refuseEndedLink(app, tx, scope, actor.id)
  return { invitation: await invitationOf(tx, scope, actor), session }
}

/** The builds of the version that the operator offers now. */
const downloadsOf = async (reader: Reader) => {
  const manifest = (await manifestInForce(reader, 'desktop_agent', 'stable'))?.content
  return (manifest?.builds ?? [])
    .filter(({ version }) => version === manifest?.latest.version)
    .map(({ platform, arch, version, url, sizeBytes }) => ({ platform, arch, version, url, sizeBytes }))
}

/** What the page behind the link shows. Every opening is audited; the first one is kept. */
export const inspectInvitation = async (
  app: AppContext,
  tx: Tx,
  scope: Scope,
  actor: ActorOf<'link'>,
  locale: string | undefined,
) => {
  const { invitation, session } = await lockHeld(app, tx, scope, actor)
  const first = invitation.openedAt === null
  if (first) await updateInvitation(tx, scope, invitation.id, { openedAt: app.clock.now() })
  await app.audit.append(tx, scope.orgId, {
    actor,
    action: 'invitation.opened',
    target: invitation.id,
    sessionId: session.id,
    payload: { first },
  })
  const { schedule, cancelledAt } = await readAppointment(tx, scope, session)
  const { id, name, locale: written, expiresAt } = invitation
  return {
    invitation: { id, name, locale: written, expiresAt: iso(expiresAt) },
    org: brandOf(await getOrg(tx, scope.orgId)),
    session: { id: session.id, candidateLabel: session.candidateLabel, state: session.state },
    appointment: schedule,
    cancelledAt: isoOrNull(cancelledAt),
    consentDocument: consentDocument(session.config, agentLanes, consentLocaleFor(locale ?? written)),
    downloads: await downloadsOf(tx),
  }
}

/** A join code of the candidate's, within the limits of the session. */
export const takeTicket = async (app: AppContext, tx: Tx, scope: Scope, actor: ActorOf<'link'>) => {
  const { invitation, session } = await lockHeld(app, tx, scope, actor)
  const { cancelledAt } = await readAppointment(tx, scope, session)
  if (cancelledAt !== null)
    throw new ServiceError(
      'conflict',
      'this appointment was cancelled; the hiring team will write when there is a new one',
    )
  const ticket = await createJoinLink(app, tx, scope, actor, session.id, 'candidate')
  if (invitation.ticketAt === null) await updateInvitation(tx, scope, invitation.id, { ticketAt: app.clock.now() })
  return ticket
}

/** From rows of the service alone, in the order in which it usually goes. */
export const readReadiness = async (reader: Reader, scope: Scope, actor: ActorOf<'link'>) => {
  const { invitation, session } = await readHeld(reader, scope, actor)
  const { joinedAt, consentedAt } = await readJoining(reader, scope, session.id)
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
