interface Member {
  readonly email: string
  readonly role: string
}

/** The members who can sign in by single sign-on alone once it is required: with an address of a verified domain, and no owners. */
export const withoutPassword = <M extends Member>(
  members: readonly M[],
  domains: readonly { readonly domain: string; readonly verified: boolean }[],
): readonly M[] => {
  const verified = new Set(domains.filter((one) => one.verified).map(({ domain }) => domain))
  return members.filter(
    ({ email, role }) => role !== 'owner' && verified.has(email.slice(email.lastIndexOf('@') + 1).toLowerCase()),
  )
}
