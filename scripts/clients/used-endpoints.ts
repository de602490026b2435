import type { EndpointId } from '../../shared-protocol/src/registry.ts'

/** What the desk asks for in its rooms of people. */
const people = [] as const satisfies readonly EndpointId[]

/** What the desk asks for in its rooms of business. */
const business = [] as const satisfies readonly EndpointId[]

/** What the desk asks for in its rooms of developers. */
const developers = [] as const satisfies readonly EndpointId[]

/** What the desk asks for in its rooms of connections. */
const connections = [] as const satisfies readonly EndpointId[]

/** What the desk asks for in its rooms of requests. */
const requests = [
  'portal.candidateRequests.list',
  'portal.candidateRequests.get',
  'portal.candidateRequests.preview',
  'portal.candidateRequests.acknowledge',
  'portal.candidateRequests.respond',
  'portal.candidateRequests.approve',
  'portal.candidateRequests.decline',
  'portal.candidateRequests.complete',
] as const satisfies readonly EndpointId[]

/** What the desk asks for in its rooms of interviews. */
const interviews = [
  'portal.scheduling.get',
  'portal.scheduling.set',
  'portal.scheduling.cancel',
  'portal.invitations.resend',
  'portal.invitations.revoke',
  'portal.sessions.join',
  'portal.sessions.consentPreview',
  'portal.sessions.meeting.set',
  'portal.sessions.meeting.remove',
] as const satisfies readonly EndpointId[]

/** What the desk asks for in its rooms of live. */
const live = ['portal.live.list', 'sessions.live', 'portal.sessions.end'] as const satisfies readonly EndpointId[]

/** What the desk asks for in its rooms of player. */
const player = [] as const satisfies readonly EndpointId[]

/** What each page and the phone call, by the file that tells them where it is. They load no other endpoint. */
export const usedEndpoints = {
  'room-web/src/generated/room-endpoints.ts': [
    'rooms.get',
    'rooms.consent',
    'rooms.release',
    'agent.cameraFrames.upload',
    'agent.packs.upload',
  ],
  'room-web/src/generated/invitation-endpoints.ts': [
    'invitations.inspect',
    'invitations.calendar',
    'invitations.ticket',
    'invitations.readiness',
    'invitations.decline',
    'invitations.contact',
    'candidateRequests.links.invitation',
  ],
  'room-web/src/generated/requests-endpoints.ts': [
    'candidateRequests.links.mail',
    'candidateRequests.view',
    'candidateRequests.submit',
    'candidateRequests.archive',
    'candidateRequests.bundle',
    'candidateRequests.contents',
  ],
  'room-web/src/generated/access-endpoints.ts': [
    'accessRequests.availability',
    'accessRequests.create',
    'ownerInvites.inspect',
    'ownerInvites.accept',
    'ownerInvites.renew',
  ],
  'room-web/src/generated/password-endpoints.ts': ['auth.password.forgot', 'auth.password.reset'],
  'room-web/src/generated/invite-endpoints.ts': ['invites.inspect', 'invites.accept', 'auth.me', 'auth.refresh'],
  'desk/src/generated/account-endpoints.ts': [
    'sso.agree',
    'sso.agreeLink',
    'auth.login',
    'auth.login.secondFactor',
    'auth.logout',
    'auth.me',
    'auth.refresh',
    'auth.factors.list',
    'auth.factors.totp.begin',
    'auth.factors.totp.confirm',
    'auth.factors.passkeys.begin',
    'auth.factors.passkeys.add',
    'auth.factors.recoveryCodes.renew',
    'auth.factors.remove',
    'auth.signIns.list',
    'auth.signIns.end',
    'auth.signIns.endOthers',
    'sso.discover',
    'sso.ldap',
  ],
  'desk/src/generated/desk-endpoints.ts': [
    'auth.me',
    'auth.refresh',
    'auth.logout',
    'portal.orgs.list',
    'portal.sessions.list',
    'portal.sessions.create',
    'portal.invitations.create',
    'sessions.detail',
    'portal.report',
    'portal.report.export',
    'portal.coverage',
    'portal.coverage.annotate',
    'portal.notes.list',
    'portal.notes.add',
    'portal.reviews.list',
    'portal.reviews.assign',
    'portal.reviews.move',
    'portal.report.signOff',
    ...people,
    ...business,
    ...developers,
    ...connections,
    ...requests,
    ...interviews,
    ...live,
    ...player,
  ],
  'companion/src/session/generated/endpoints.ts': [
    'pairings.claim',
    'pairings.consent',
    'pairings.presence',
    'pairings.unpair',
    'companion.get',
    'companion.placement',
    'companion.preview.push',
    'agent.uploads.begin',
    'agent.uploads.part',
    'agent.uploads.complete',
    'agent.packs.upload',
  ],
} as const satisfies Readonly<Record<string, readonly EndpointId[]>>
