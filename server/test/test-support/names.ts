import dns from 'node:dns'
import { vi } from 'vitest'

export interface Names {
  /** The same address under a name: `http://127.0.0.1:8080/hook` as `http://receiver.names.test:8080/hook`. */
  as(name: string, url: string): string
  /** From now on no name is found, as where the name server is away. */
  away(): void
  back(): void
  /** How often names were asked for while they were away. */
  missed(): number
}

const tail = '.names.test'
const refused = (host: string) => Object.assign(new Error(`getaddrinfo EAI_AGAIN ${host}`), { code: 'EAI_AGAIN' })

/** Names of this machine that only this process knows; `vi.restoreAllMocks` ends them. */
export const startNames = (): Names => {
  let there = true
  let missed = 0
  const find = (host: string): { address: string; family: 4 }[] => {
    if (there) return [{ address: '127.0.0.1', family: 4 }]
    missed += 1
    throw refused(host)
  }
  const { lookup, promises } = dns
  const ask = promises.lookup
  vi.spyOn(promises, 'lookup').mockImplementation((async (host: string, options: object) =>
    host.endsWith(tail) ? find(host) : ask(host, options)) as never)
  vi.spyOn(dns, 'lookup').mockImplementation(((host: string, options: object, done: (...answer: unknown[]) => void) => {
    if (!host.endsWith(tail)) return lookup(host, options, done as never)
    try {
      done(null, find(host))
    } catch (error) {
      done(error)
    }
  }) as never)
  // Whoever asks a name server for these first goes on to ask the machine.
  for (const kind of ['resolve4', 'resolve6'] as const)
    vi.spyOn(dns.Resolver.prototype, kind).mockImplementation(((host: string, done: (error: unknown) => void) =>
      done(refused(host))) as never)
  return {
    as: (name, url) => url.replace('127.0.0.1', `${name}${tail}`),
    away: () => {
      there = false
    },
    back: () => {
      there = true
    },
    missed: () => missed,
  }
}
