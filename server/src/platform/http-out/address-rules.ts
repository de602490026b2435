import ipaddr from 'ipaddr.js'

type Range = readonly [network: string, bits: number]

/** Addresses of cloud metadata services that are in a public range, so no range rule finds them. */
const metadata = new Set(['168.63.129.16'])

/**
 * Ranges that carry or hide an IPv4 address, refused whatever ipaddr.js calls them, so that an update of its table
 * cannot open one: RFC 4291 (compatible, mapped), RFC 6145, RFC 6052, RFC 8215, RFC 3056 (6to4), RFC 4380 (Teredo).
 */
const embedding: readonly Range[] = [
  ['::', 96],
  ['::ffff:0:0', 96],
  ['::ffff:0:0:0', 96],
  ['64:ff9b::', 96],
  ['64:ff9b:1::', 48],
  ['2002::', 16],
  ['2001::', 32],
]

/** Only 2000::/3 has been given out as global unicast (RFC 4291 section 2.4, IANA registry). */
const globalUnicast: Range = ['2000::', 3]

/** What a developer's own machine and network use; reachable only when private targets are allowed. */
const development = new Set<string>(['loopback', 'private', 'uniqueLocal'])

const within = (address: ipaddr.IPv6, [network, bits]: Range) => address.match(ipaddr.IPv6.parse(network), bits)

const refusedV6 = (address: ipaddr.IPv6): string | undefined => {
  if (embedding.some((range) => within(address, range))) return 'an IPv6 address that embeds an IPv4 one'
  return within(address, globalUnicast) ? undefined : 'an IPv6 address outside 2000::/3'
}

/**
 * Why a socket must not be opened to `address`, or undefined when it may.
 * `address` is a literal in any spelling ipaddr.js reads (dotted, octal, hex, short forms, IPv6). Everything that is
 * not called `unicast` is refused; what cannot be read is refused too.
 */
export const refusalOfAddress = (address: string, allowPrivate: boolean): string | undefined => {
  // A zone id names an interface of this machine: never a public target.
  if (address.includes('%')) return 'an address with a zone id'
  if (!ipaddr.isValid(address)) return 'an address that cannot be read'
  const parsed = ipaddr.parse(address)
  const range: string = parsed.range()
  if (allowPrivate && development.has(range)) return undefined
  if (range !== 'unicast') return `not a public address (${range})`
  if (metadata.has(parsed.toString())) return 'a metadata address'
  return parsed instanceof ipaddr.IPv6 ? refusedV6(parsed) : undefined
}

/** The canonical text of an IP literal in any spelling, or undefined when `host` is a name. */
export const literalAddress = (host: string): string | undefined => {
  const bare = host.startsWith('[') && host.endsWith(']') ? host.slice(1, -1) : host
  if (bare.includes('%') && ipaddr.IPv6.isValid(bare)) return bare
  return ipaddr.isValid(bare) ? ipaddr.parse(bare).toString() : undefined
}
