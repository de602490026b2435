import type { EndpointId } from '../../shared-protocol/src/registry.ts'

/** What the account's page asks for. */
export const account = [
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
] as const satisfies readonly EndpointId[]

/** What the desk asks for in its rooms of interviews and their reviews, and to know who is there. */
const interviews = [
  'auth.me',
  'auth.refresh',
  'auth.logout',
  'portal.orgs.list',
  'portal.sessions.list',
  'portal.sessions.create',
  'portal.invitations.create',
  'portal.invitations.preview',
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
  'portal.reviews.assignees',
  'portal.sessions.bundle',
  'portal.sessions.export',
  'portal.sessions.accessLog',
  'portal.compositions.list',
  'portal.compositions.render',
  'portal.compositions.content',
  'sso.logoutUrl',
] as const satisfies readonly EndpointId[]

/** What the desk asks for on the page about the organisation as a whole. */
const house = [
  'portal.orgs.get',
  'portal.orgs.create',
  'portal.orgs.secondFactor.set',
  'portal.witnesses.get',
  'portal.witnesses.set',
] as const satisfies readonly EndpointId[]

/** What the desk asks for in its rooms of people. */
const people = [
  'portal.members.list',
  'portal.members.add',
  'portal.members.change',
  'portal.invites.list',
  'portal.invites.create',
  'portal.invites.resend',
  'portal.invites.revoke',
  'portal.roles.list',
  'portal.roles.assign',
  'portal.roles.create',
  'portal.roles.change',
  'portal.roles.delete',
  'portal.retention.get',
  'portal.retention.put',
  'portal.retention.hold',
  'portal.retention.sessions.hold',
  'portal.retention.preview',
  'portal.retention.run',
  'portal.retention.sweep',
  'portal.auditLogs.list',
  'portal.policies.list',
  'portal.policies.create',
  'portal.policies.get',
  'portal.policies.patch',
  'portal.policies.versions.create',
  'portal.policies.duplicate',
  'portal.policies.archive',
  'portal.policies.consentPreview',
  'portal.policies.consentPreview.draft',
] as const satisfies readonly EndpointId[]

/** What the desk asks for in its rooms of business. */
const business = [
  'portal.auditLogs.list',
  'portal.auditLogs.verify',
  'portal.auditLogs.export',
  'portal.storage.get',
  'portal.storage.put',
  'portal.storage.validate',
  'portal.storage.migrate',
  'portal.storage.migration',
  'portal.recipients.list',
  'portal.recipients.add',
  'portal.recipients.remove',
  'portal.usage.get',
  'portal.insights.get',
  'portal.compliance.dataProcessing',
  'portal.compliance.sentences',
  'portal.compliance.statement',
  'portal.orgs.dataProtection.set',
  'billing.plans',
  'portal.billing.entitlements',
  'portal.billing.subscription',
  'portal.billing.history',
  'portal.billing.checkout',
  'portal.billing.plan',
  'portal.billing.cancel',
  'accessRequests.list',
  'accessRequests.insights',
  'accessRequests.approve',
  'accessRequests.decline',
  'accessRequests.resendInvite',
] as const satisfies readonly EndpointId[]

/** What the desk asks for in its rooms of developers. */
const developers = [
  'portal.apiKeys.list',
  'portal.apiKeys.create',
  'portal.apiKeys.requests',
  'portal.apiKeys.rotate',
  'portal.apiKeys.revoke',
  'portal.webhooks.list',
  'portal.webhooks.create',
  'portal.webhooks.patch',
  'portal.webhooks.delete',
  'portal.webhooks.rotateSecret',
  'portal.webhooks.sendExample',
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
const connections = [
  'portal.sso.get',
  'portal.sso.put',
  'portal.sso.test',
  'portal.sso.enforcement',
  'portal.sso.domains.add',
  'portal.sso.domains.verify',
  'portal.sso.domains.drop',
  'portal.scim.calls',
  'portal.scim.issueToken',
  'portal.scim.revokeToken',
  'portal.auditLogs.list',
  'portal.members.list',
  'portal.ats.capabilities',
  'portal.ats.list',
  'portal.ats.connect',
  'portal.ats.update',
  'portal.ats.remove',
  'portal.ats.rotateSecret',
  'portal.ats.test',
  'portal.ats.sync',
  'portal.ats.replay',
  'portal.chat.capabilities',
  'portal.chat.list',
  'portal.chat.install',
  'portal.chat.channels',
  'portal.chat.update',
  'portal.chat.remove',
  'portal.chat.deliveries',
  'portal.chat.replay',
  'portal.branding.get',
  'portal.branding.set',
  'portal.branding.logo.set',
  'portal.branding.logo.remove',
  'portal.policies.list',
  'portal.orgs.get',
] as const satisfies readonly EndpointId[]

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
  'portal.candidateRequests.reopenReview',
] as const satisfies readonly EndpointId[]

/** What the desk asks for about one interview: when it is, its invitation, its meeting. */
const oneInterview = [
  'portal.interviewers.list',
  'portal.interviewers.add',
  'portal.scheduling.get',
  'portal.scheduling.set',
  'portal.scheduling.cancel',
  'portal.scheduling.calendar',
  'portal.invitations.resend',
  'portal.invitations.revoke',
  'portal.sessions.join',
  'portal.sessions.consentPreview',
  'portal.sessions.patch',
  'portal.sessions.meeting.set',
  'portal.sessions.meeting.remove',
] as const satisfies readonly EndpointId[]

/** What the desk asks for in its rooms of live. */
const live = [
  'portal.live.list',
  'sessions.live',
  'companion.preview.get',
  'portal.events.stream',
  'portal.sessions.end',
] as const satisfies readonly EndpointId[]

/** What the desk asks for in its rooms of player. */
const player = [
  'portal.reelIndex.get',
  'portal.reels.get',
  'portal.evidence.list',
  'portal.evidence.content',
  'portal.captureChain.get',
] as const satisfies readonly EndpointId[]

/** Where on the desk a person finds an endpoint: rooms and what they ask for. */
export const deskRooms: Readonly<Record<string, readonly EndpointId[]>> = {
  'sign-in and own account': account,
  'today, interviews, review': interviews,
  'interviews: one interview': oneInterview,
  'review: player': player,
  'interviews: live': live,
  requests,
  'organisation: general': house,
  'organisation: people and rules': people,
  'organisation: how it runs': business,
  developers,
  connections,
}

/** Everything that the desk asks for. */
export const deskEndpoints = [
  ...interviews,
  ...house,
  ...people,
  ...business,
  ...developers,
  ...connections,
  ...requests,
  ...oneInterview,
  ...live,
  ...player,
] as const satisfies readonly EndpointId[]
