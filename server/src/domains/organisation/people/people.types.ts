import type { BuiltInRole } from '@integrity/protocol'
import type { Environment } from '../../../kernel/identity/scope.ts'

export interface LoginRow {
  readonly id: string
  readonly email: string
  /** Null for a person who has no password. */
  readonly passwordHash: string | null
  /** 0 or 1. */
  readonly secondFactor: number
}

export interface Person {
  readonly id: string
  readonly email: string
  readonly name: string | null
}

export interface MembershipRow {
  readonly id: string
  readonly role: string
  readonly orgId: string
  readonly orgName: string
  readonly orgSlug: string
}

/** A built-in role with what takes the place of its permissions. */
export interface HeldRole {
  readonly role: string
  readonly customRoleId: string | null
  /** Names with spaces between them; null where there is no such role. */
  readonly customPermissions: string | null
}

/** An organisation that requires single sign-on of a person. */
export interface SsoDemand {
  readonly orgId: string
  readonly orgSlug: string
  readonly kind: 'saml' | 'ldap' | 'oidc'
  readonly role: string
}

/** Where a person acts and as what. */
export interface Standing extends HeldRole {
  readonly orgId: string
  readonly environment: Environment
  /** 1 where the organisation requires a second factor and the person has none. */
  readonly lacksSecondFactor: number
  /** 1 where the organisation requires single sign-on of members with an address of its domains. */
  readonly requiresSso: number
}

/** A membership of one organisation, with its person. Times are epoch milliseconds. */
export interface MemberRow extends HeldRole {
  readonly id: string
  readonly userId: string
  readonly email: string
  /** How this organisation calls the person, else how they call themselves. */
  readonly name: string | null
  readonly role: BuiltInRole
  readonly customRoleName: string | null
  /** 0 or 1. */
  readonly active: number
  readonly lastSeenAt: number | null
  readonly deactivatedAt: number | null
  readonly createdAt: number
}

/** An organisation of a person, with what they are there. */
export interface OwnOrgRow extends HeldRole {
  readonly orgId: string
  readonly name: string
  readonly slug: string
  readonly createdAt: number
  readonly membershipId: string
  readonly role: BuiltInRole
  readonly customRoleName: string | null
}
