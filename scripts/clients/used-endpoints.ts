import type { EndpointId } from '../../shared-protocol/src/registry.ts'

/** What the desk asks for in its rooms of people. */
const people = [] as const satisfies readonly EndpointId[]

/** What the desk asks for in its rooms of business. */
const business = [] as const satisfies readonly EndpointId[]

/** What the desk asks for in its rooms of developers. */
const developers = [
  'portal.apiKeys.list',
  'portal.apiKeys.create',
  'portal.apiKeys.rotate',
  'portal.apiKeys.revoke',
  'portal.webhooks.list',
  'portal.webhooks.create',
  'portal.webhooks.patch',
  'portal.webhooks.delete',
  'portal.webhooks.rotateSecret',
  'portal.webhooks.test',
  'portal.webhooks.deliveries.list',
  'portal.webhooks.deliveries.replay',
  'portal.webhooks.replaySince',
  'portal.sandbox.simulate',
  'portal.sandbox.simulation',
  'portal.events.list',
  'portal.events.stream',
  // Not called: the samples say where they are.
  'orgs.me',
  'sessions.create',
  'sessions.list',
  'events.stream',
] as const satisfies readonly EndpointId[]

/** What the desk asks for in its rooms of connections. */
const connections = [] as const satisfies readonly EndpointId[]

/** What the desk asks for in its rooms of requests. */
const requests = [] as const satisfies readonly EndpointId[]

/** What the desk asks for in its rooms of live. */
const live = [] as const satisfies readonly EndpointId[]

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
