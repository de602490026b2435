import { shownAids } from '@integrity/protocol'
import { iso, isoOrNull } from '../../../kernel/time.ts'
import type { readTold } from './consent/told.service.ts'
import { meetingView } from './sessions.meeting.model.ts'
import type { SessionRow, ShownSession } from './sessions.types.ts'

const consentView = (session: ShownSession) => {
  const { consent } = session
  if (!consent) return { status: 'pending' as const, lanes: {} }
  const every = Object.values(consent.lanes).every((lane) => lane.granted && lane.withdrawnAt === null)
  const answered = consent.documentHash !== undefined
  const none = session.startedAt === null && Object.values(consent.lanes).every((lane) => !lane.granted)
  const given = every ? ('granted' as const) : none ? ('declined' as const) : ('partial' as const)
  return { status: answered ? given : ('pending' as const), ...consent }
}

type Told = Awaited<ReturnType<typeof readTold>>

/** Beside the apps that a person chose. */
export const meetingOf = ({ meeting }: Pick<ShownSession, 'meeting'>) => meeting && meetingView(meeting)

/** One shape for lists and single resources. */
export const sessionView = (session: ShownSession) => ({
  id: session.id,
  state: session.state,
  externalId: session.externalId,
  candidateLabel: session.candidateLabel,
  config: session.config,
  eventCount: session.eventCount,
  sandbox: session.environment === 'sandbox',
  policyVersion: session.policyVersion,
  policyId: session.policy?.id ?? null,
  policy: session.policy,
  consent: consentView(session),
  aids: shownAids(session.config),
  legalHold: session.legalHold,
  provisionedBy: session.provisionedBy,
  meeting: meetingOf(session),
  schedule: session.schedule,
  endReason: session.endReason,
  createdAt: iso(session.createdAt),
  startedAt: isoOrNull(session.startedAt),
  endedAt: isoOrNull(session.endedAt),
  erasedAt: isoOrNull(session.erasedAt),
})

export const sessionDetailView = (session: SessionRow) => ({
  ...sessionView(session),
  live: {
    registeredAt: isoOrNull(session.registeredAt),
    lastContactAt: isoOrNull(session.lastContactAt),
    device: session.device,
    permissions: session.permissions,
    capabilities: session.capabilities,
  },
})

/** The session as it concerns its candidate: not who of the organisation set it up. */
export const ownSessionView = (session: SessionRow) => {
  const { provisionedBy: _, live, ...view } = sessionDetailView(session)
  return { ...view, ...live }
}

/** The session as a device of the candidate gets it. */
export const joinedView = ({ id, state, candidateLabel, schedule }: ShownSession) => ({
  id,
  state,
  candidateLabel,
  schedule,
})

/** How events name a session. */
export const sessionRef = (session: Pick<SessionRow, 'id' | 'externalId' | 'state'>) => ({
  id: session.id,
  externalId: session.externalId,
  state: session.state,
})

/** The answer to an agent that polls. */
export const toldView = ({ session, config, document, org }: Omit<Told, 'etag'>, now: number) => ({
  policyVersion: session.policyVersion,
  state: session.state,
  config,
  meeting: meetingOf(session),
  consentDocument: document,
  org,
  serverTime: iso(now),
})
