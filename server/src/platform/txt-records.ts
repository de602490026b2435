import { Resolver } from 'node:dns/promises'

const open = (servers: readonly string[]): Resolver => {
  const resolver = new Resolver({ timeout: 2000, tries: 2 })
  if (servers.length > 0) resolver.setServers(servers)
  return resolver
}

/** An address, `address:port` or `[address]:port`, as `node:dns` takes it. */
export const isNameServer = (given: string): boolean => {
  try {
    open([given])
    return true
  } catch {
    return false
  }
}

/** Looks up TXT records, each as its strings; rejects where there are none and where no server answers in some seconds. */
export const createTxtRecords = (servers: readonly string[]) => {
  const resolver = open(servers)
  return (name: string): Promise<string[][]> => resolver.resolveTxt(name)
}
