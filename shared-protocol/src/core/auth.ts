import type { Permission } from './permissions.ts'

/** What an organisation API key may be granted; the interface's own list. */
export const scopes = [
  'org:read',
  'sessions:read',
  'sessions:write',
  'evidence:read',
  'reports:read',
  'webhooks:read',
  'webhooks:write',
  'events:read',
] as const
export type ApiScope = (typeof scopes)[number]

/** Kinds of credential. An endpoint names those it admits; every other kind is refused. */
export const credentialKinds = [
  'api_key',
  'user',
  'account',
  'desk_operator',
  'refresh',
  'agent',
  'companion',
  'room',
  'link',
  'download',
  'scim',
  'assessment',
  'anonymous',
] as const
export type CredentialKind = (typeof credentialKinds)[number]

/** Credentials of one session: its agent, its phone, its room. */
export const sessionCredentialKinds = ['agent', 'companion', 'room'] as const satisfies readonly CredentialKind[]
export type SessionCredentialKind = (typeof sessionCredentialKinds)[number]
/** What travels as a cookie, which a browser sends by itself. */
export const cookieCredentialKinds = [
  'user',
  'account',
  'desk_operator',
  'refresh',
] as const satisfies readonly CredentialKind[]

/** What a link that people get by e-mail is for. Its token opens that one thing. */
export const linkKinds = [
  'invitation',
  'candidate_request',
  'interviewer',
  'owner_invite',
  'invite',
  'password_reset',
] as const
export type LinkKind = (typeof linkKinds)[number]

export type AuthRule =
  | { readonly kind: 'api_key'; readonly scope: ApiScope }
  | { readonly kind: 'user'; readonly permission?: Permission; readonly orPermission?: Permission }
  | { readonly kind: 'account'; readonly unagreed?: true }
  | {
      readonly kind: 'desk_operator' | 'refresh' | 'agent' | 'companion' | 'room' | 'scim' | 'assessment' | 'anonymous'
    }
  | { readonly kind: 'link'; readonly link: LinkKind }
  | { readonly kind: 'download'; readonly object: 'evidence' | 'composition' }

export const apiKey = <const S extends ApiScope>(scope: S) => ({ kind: 'api_key', scope }) as const
/**
 * A member of the organisation that the path names, or that owns what it names; without a permission, any member. Where two
 * are named, one of them is enough, and the handler decides what the second one opens.
 */
export const user = <const P extends Permission>(permission?: P, orPermission?: Permission) =>
  ({ kind: 'user', permission, ...(orPermission && { orPermission }) }) as const
/** The permissions of which a member needs one, in words. */
export const neededWords = ({
  permission,
  orPermission,
}: {
  readonly permission?: Permission | undefined
  readonly orPermission?: Permission | undefined
}): string => [permission, orPermission].filter((name) => name !== undefined).join(' or ')
/** A signed-in person, whatever organisations they belong to. */
export const account = { kind: 'account' } as const
/** The same, also by a sign-in that one organisation vouches for and that counts there alone. */
export const anyAccount = { kind: 'account', unagreed: true } as const
/** A signed-in person whose address is one of those that the operator of the service named; nobody, where none is named. */
export const deskOperator = { kind: 'desk_operator' } as const
/** The refresh cookie of a signed-in person. */
export const refresh = { kind: 'refresh' } as const
/** The desktop agent: an agent join token or the session token it was exchanged for, of the session in the path. */
export const agent = { kind: 'agent' } as const
export const companion = { kind: 'companion' } as const
export const room = { kind: 'room' } as const
export const anonymous = { kind: 'anonymous' } as const
/** An identity provider, with the token that its organisation made for it. */
export const scimToken = { kind: 'scim' } as const
/** An applicant tracking system that asks for assessments, with the key that the organisation made for it: Basic, as the user name. */
export const assessmentKey = { kind: 'assessment' } as const
/** The token of a link that was sent by e-mail, as a bearer credential. */
export const link = <const L extends LinkKind>(of: L) => ({ kind: 'link', link: of }) as const
/** A self-authenticating download link: the `token` query parameter. */
export const downloadToken = <const O extends 'evidence' | 'composition'>(object: O) =>
  ({ kind: 'download', object }) as const

/** The prefix that names a secret's kind, so that a leaked one can be recognised and redacted. */
export const secretPrefixes = {
  api_key_live: 'sk_',
  api_key_sandbox: 'sk_test_',
  agent_join: 'ajt_',
  session: 'sst_',
  companion: 'cmt_',
  room: 'rmt_',
  invitation: 'ivt_',
  candidate_request: 'crq_',
  interviewer: 'itk_',
  owner_invite: 'own_',
  invite: 'inv_',
  password_reset: 'pwr_',
  scim: 'scim_',
  assessment: 'asm_',
  vouching: 'vch_',
  second_step: 'sfc_',
  portal_access: 'pac_',
  portal_refresh: 'prf_',
  webhook: 'whsec_',
} as const
