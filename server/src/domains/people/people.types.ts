import type { Environment } from '../../kernel/identity/scope.ts'

export interface LoginRow {
  readonly id: string
  readonly email: string
  /** Null for a person who has no password. */
  readonly passwordHash: string | null
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

/** Where a person acts and as what. */
export interface Standing {
  readonly orgId: string
  readonly environment: Environment
  readonly role: string
}
