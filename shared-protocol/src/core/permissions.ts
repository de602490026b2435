import * as z from 'zod'

/** What a role may do. Dotted names, one sentence each, and the built-in roles that hold it. */
export const builtInRoles = ['owner', 'admin', 'interviewer', 'reviewer'] as const
export type BuiltInRole = (typeof builtInRoles)[number]

const everyone = builtInRoles
const managers = ['owner', 'admin'] as const
const hosts = ['owner', 'admin', 'interviewer'] as const
const readers = ['owner', 'admin', 'reviewer'] as const

export const permissions = {
  'org.manage': { summary: 'Change the organisation itself.', roles: managers },
  'member.manage': { summary: 'Add, invite, change and deactivate members.', roles: managers },
  'role.manage': { summary: 'Define custom roles and assign them.', roles: managers },
  'session.create': { summary: 'Schedule sessions.', roles: hosts },
  'session.manage': { summary: 'Change, end and invite to sessions.', roles: hosts },
  'session.view': { summary: 'See sessions and their state.', roles: everyone },
  'session.review.assign': { summary: 'Assign reviews and reopen a signed-off one.', roles: managers },
  'evidence.view': { summary: 'Open evidence, transcripts and timelines.', roles: everyone },
  'evidence.export': { summary: 'Take evidence out of the service.', roles: readers },
  'composition.view': { summary: 'See the compositions of sessions.', roles: readers },
  'evidence.list': { summary: 'See which evidence exists, without opening it.', roles: everyone },
  'report.view': { summary: 'Read session reports and coverage.', roles: everyone },
  'report.export': { summary: 'Export reports.', roles: managers },
  'report.annotate': { summary: 'Write notes and annotations beside a report.', roles: everyone },
  'report.sign_off': { summary: 'Sign off a report as a new revision.', roles: readers },
  'access_log.view': { summary: 'See who opened evidence.', roles: readers },
  'audit.view': { summary: 'Read and verify the audit trail.', roles: managers },
  'retention.manage': { summary: 'Set retention and run deletions.', roles: managers },
  'legal_hold.manage': { summary: 'Place and release legal holds.', roles: managers },
  'storage.manage': { summary: 'Choose where evidence is stored.', roles: managers },
  'billing.manage': { summary: 'Manage plan and payment.', roles: managers },
  'api_key.manage': { summary: 'Mint, rotate and revoke API keys.', roles: managers },
  'webhook.manage': { summary: 'Manage webhook endpoints.', roles: managers },
  'sso.manage': { summary: 'Manage single sign-on and provisioning.', roles: ['owner'] },
  'branding.manage': { summary: 'Change the brand that candidates see.', roles: managers },
  'integration.manage': { summary: 'Connect applicant-tracking and chat systems.', roles: managers },
  'candidate_request.manage': { summary: "Answer candidates' requests.", roles: managers },
  'policy.manage': { summary: 'Write integrity policies.', roles: managers },
  'insight.view': { summary: 'See usage insights.', roles: managers },
} as const satisfies Record<string, { summary: string; roles: readonly BuiltInRole[] }>

export type Permission = keyof typeof permissions

export const builtInRole = z.enum(builtInRoles)
export const permission = z.enum(Object.keys(permissions) as [Permission, ...Permission[]])
