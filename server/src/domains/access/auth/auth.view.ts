import type { IssuedTokens } from '../../../kernel/sign-ins.ts'
import type { MembershipRow, Person } from '../../organisation/people/people.types.ts'

export const identityView = (person: Person, memberships: readonly MembershipRow[]) => ({
  user: person,
  memberships: memberships.map(({ id, role, orgId, orgName, orgSlug }) => ({
    id,
    role,
    org: { id: orgId, name: orgName, slug: orgSlug },
  })),
})

const iso = (ms: number): string => new Date(ms).toISOString()

/** The identity and the lifetimes; the tokens themselves travel in cookies only. */
export const signedInView = (identity: ReturnType<typeof identityView>, tokens: IssuedTokens) => ({
  ...identity,
  accessExpiresAt: iso(tokens.accessExpiresAt),
  refreshExpiresAt: iso(tokens.refreshExpiresAt),
})
