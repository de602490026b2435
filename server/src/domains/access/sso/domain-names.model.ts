import { domainToASCII } from 'node:url'
import { invalid } from '@integrity/protocol'
import { parse } from 'tldts'

/**
 * The domain as it is compared, or `invalid_request`: not below which anybody may register (`co.uk`, `github.io`; the Public
 * Suffix List of `tldts`), no address, no single name.
 */
export const claimableDomain = (given: string): string => {
  const name = domainToASCII(given.replace(/\.$/, ''))
  const { isIp, domain, hostname } = parse(name, { allowPrivateDomains: true })
  if (!/^(?:[a-z0-9](?:[a-z0-9-]{0,61}[a-z0-9])?\.)+[a-z0-9-]{2,63}$/.test(name) || isIp || hostname !== name)
    throw invalid('domain', 'must be the name of a domain, such as example.com')
  if (domain === null) throw invalid('domain', 'is one below which anybody may register a name')
  return name
}

/** What comes behind the @ of a normalised address. */
export const domainOf = (email: string): string => email.slice(email.lastIndexOf('@') + 1)

/** Where proof is looked for, and what it says. */
export const proofRecord = ({ domain, proof }: { domain: string; proof: string }) => ({
  type: 'TXT' as const,
  name: `_interview-integrity.${domain}`,
  value: `interview-integrity-domain=${proof}`,
})

/** Strings of one record are one text (RFC 7208, section 3.3, says so for TXT as others use it). */
export const holdsProof = (records: readonly (readonly string[])[], value: string): boolean =>
  records.some((strings) => strings.join('') === value)
