import { promises as dns } from 'node:dns'

/** All addresses of a name. Rejects when it has none or the resolver does not answer. */
export type Lookup = (hostname: string) => Promise<readonly string[]>

/**
 * Asks the name servers directly (c-ares). `dns.lookup` runs getaddrinfo on the four threads that also serve the
 * file system: a receiver with a name server that never answers would hold up everything else.
 */
export const createResolverLookup = (): Lookup => {
  const resolver = new dns.Resolver({ timeout: 2000, tries: 2 })
  return async (hostname) => {
    const answers = await Promise.allSettled([resolver.resolve4(hostname), resolver.resolve6(hostname)])
    const addresses = answers.flatMap((answer) => (answer.status === 'fulfilled' ? answer.value : []))
    const failed = answers.find((answer) => answer.status === 'rejected')
    if (addresses.length === 0 && failed) throw failed.reason
    return addresses
  }
}

/** The system's own way, hosts file and all: what a developer expects of `http://my-box:3000`. */
export const systemLookup: Lookup = async (hostname) => {
  const found = await dns.lookup(hostname, { all: true })
  return found.map((entry) => entry.address)
}
