/** Names that a page, a host or a mail of the service itself may be under. */
const reserved: ReadonlySet<string> = new Set(
  `about abuse access account accounts admin administrator api app assets auth autoconfig billing blog candidate candidates
   cdn compliance console dashboard demo dev docs download downloads email example ftp guide health help home host hostmaster
   imap info internal invitation invite inviting legal live localhost login logout mail marketing me metrics news noreply
   null oauth operator operators org organisation organization orgs owner pairing password phone policy pop postmaster
   privacy public register requests reset room root sales sandbox saml scim security self server service session sessions
   settings signin signup smtp sso staff static status storage support system team test tests undefined updates user users
   v1 webhook webhooks webmaster window www`.split(/\s+/),
)
export const isReserved = (slug: string): boolean => reserved.has(slug)

/** Slugs that people read as one have one skeleton (the confusables of UTS 39 among a-z, 0-9 and the hyphen). */
export const skeletonOf = (slug: string): string =>
  slug.replaceAll('-', '').replaceAll('0', 'o').replaceAll('1', 'l').replaceAll('rn', 'm').replaceAll('vv', 'w')

/** A slug made of a name, to which a number may still be added. A number on the first of its name would speak of another one. */
export const slugBase = (name: string): string => {
  const letters = name
    .normalize('NFKD')
    .replaceAll(/\p{M}/gu, '')
    .toLowerCase()
    .replaceAll(/[^a-z0-9]+/g, '-')
    .slice(0, 35)
    .replaceAll(/^-+|-+$/g, '')
  if (letters.length < 3) return `org${letters && `-${letters}`}`
  return isReserved(letters) ? `${letters}-org` : letters
}
