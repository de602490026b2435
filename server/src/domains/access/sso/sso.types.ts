import type { BuiltInRole, EndpointMap, ResultOf } from '@integrity/protocol'

export type SsoCheck = ResultOf<EndpointMap['portal.sso.test']>['checks'][number]

export interface SamlSettings {
  readonly kind: 'saml'
  readonly idpEntityId: string
  readonly idpSsoUrl: string
  readonly idpSloUrl?: string | undefined
  /** PEM. */
  readonly idpCertificates: readonly string[]
  readonly signRequests?: boolean | undefined
  readonly attributes: {
    readonly id?: string | undefined
    readonly email?: string | undefined
    readonly name?: string | undefined
    readonly role?: string | undefined
  }
}
export interface LdapSettings {
  readonly kind: 'ldap'
  readonly url: string
  readonly startTls: boolean
  readonly bindDn: string
  readonly baseDn: string
  readonly userFilter: string
  readonly groupFilter?: string | undefined
}
export interface OidcSettings {
  readonly kind: 'oidc'
  readonly issuer: string
  readonly clientId: string
  readonly scopes: readonly string[]
  readonly attributes: SamlSettings['attributes']
}
export type MappableRole = Exclude<BuiltInRole, 'owner'>

export interface SsoTestRow {
  readonly ok: boolean
  readonly checks: readonly SsoCheck[]
  /** Epoch milliseconds. */
  readonly testedAt: number
}

/** The way an organisation signs in: one at a time. */
export interface ConnectionRow<S = SamlSettings | LdapSettings | OidcSettings> {
  readonly settings: S
  /** The bind password or the client's secret, readable with the master key alone. */
  readonly wrappedSecrets: string | null
  readonly defaultRole: MappableRole
  readonly roleMapping: Readonly<Record<string, MappableRole>>
  readonly required: boolean
  readonly updatedAt: number
  readonly test: SsoTestRow | null
}

export interface DomainRow {
  readonly domain: string
  readonly proof: string
  readonly createdAt: number
  readonly verifiedAt: number | null
  /** Since when the record is not found any more; null while it is, or before it was first. */
  readonly missingSince: number | null
}

/** Who an identity provider or a directory says that somebody is. */
export interface SsoPerson {
  /** Of the identity provider or the directory, as it was configured. */
  readonly issuer: string
  /** Stable there. */
  readonly subject: string
  readonly email: string
  readonly name: string | undefined
  /** What the role is looked up by: values of the attribute, or names of groups. */
  readonly roleValues: readonly string[]
}
