import { ServiceError } from '@integrity/protocol'
import type { Limits } from '../kernel/config.ts'
import type { FailureCeiling } from '../kernel/failure-ceiling.ts'
import type { Actor } from '../kernel/identity/actor.ts'
import type { RateCounter, RateState } from '../platform/rate/rate-counter.ts'

export interface Ceiling extends RateState {
  /** The interface knows two names; every ceiling that is not the organisation's is reported as `key`. */
  readonly scope: 'key' | 'org'
}

const windowSeconds = 60

/** The interface's names, and beside them those of the IETF draft (draft-ietf-httpapi-ratelimit-headers-10). */
export const rateHeaders = (ceiling: Ceiling): Record<string, string> => addRateHeaders({}, ceiling)

/** The same, written into the headers of an answer. */
export const addRateHeaders = <T extends Record<string, string | string[]>>(headers: T, ceiling: Ceiling): T => {
  const { limit, remaining, resetSeconds, scope } = ceiling
  const into: Record<string, string | string[]> = headers
  into['RateLimit-Limit'] = `${limit}`
  into['RateLimit-Remaining'] = `${remaining}`
  into['RateLimit-Reset'] = `${resetSeconds}`
  into['RateLimit-Scope'] = scope
  into['RateLimit-Policy'] = `"${scope}";q=${limit};w=${windowSeconds}`
  into['RateLimit'] = `"${scope}";r=${remaining};t=${resetSeconds}`
  return headers
}

const refuse = (ceiling: Ceiling, unit = 'requests'): never => {
  const seconds = Math.max(1, ceiling.resetSeconds)
  throw new ServiceError(
    'rate_limited',
    `${ceiling.limit} ${unit} in ${windowSeconds} s is the ceiling; wait ${seconds} s`,
    {
      headers: { ...rateHeaders(ceiling), 'Retry-After': String(seconds) },
    },
  )
}

type Soon<T> = T | Promise<T>

/** Goes on at once with what is there: each await of the counter in memory would be a turn of the microtask queue. */
const andThen = <T, R>(value: Soon<T>, next: (value: T) => Soon<R>): Soon<R> =>
  value instanceof Promise ? value.then(next) : next(value)

const admitted = ({ limit, remaining, resetSeconds, allowed }: RateState, scope: Ceiling['scope']): Ceiling => {
  const ceiling = { limit, remaining, resetSeconds, allowed, scope }
  return allowed ? ceiling : refuse(ceiling)
}

/** Counts a call; refuses the one that is too many. */
const taken = (rate: RateCounter, key: string, limit: number, scope: Ceiling['scope']): Soon<Ceiling> =>
  andThen(rate.take(key, limit), (state) => admitted(state, scope))

/** Refuses an address that has presented too many wrong secrets in this window. */
export const checkFailures = async (rate: RateCounter, limits: Limits, address: string): Promise<Ceiling> =>
  andThen(rate.peek(`failures ${address}`, limits.failuresPerAddress), (state) => admitted(state, 'key'))

export const countFailure = async (rate: RateCounter, limits: Limits, address: string): Promise<void> => {
  await rate.take(`failures ${address}`, limits.failuresPerAddress)
}

/** The same for whoever checks passwords by itself. */
export const createFailureCeiling = (rate: RateCounter, limits: Limits): FailureCeiling => ({
  check: async (address) => {
    await checkFailures(rate, limits, address)
  },
  count: (address) => countFailure(rate, limits, address),
})

export const takeAddress = async (rate: RateCounter, limits: Limits, address: string): Promise<Ceiling> =>
  taken(rate, `address ${address}`, limits.perAddress, 'key')

/** Counts a request against its credential and, for API keys, its organisation; answers the ceiling that is closest. */
export const takeCredential = async (rate: RateCounter, limits: Limits, actor: Actor): Promise<Ceiling> => {
  if (actor.kind === 'anonymous') return takeAddress(rate, limits, actor.id)
  if (actor.kind !== 'api_key') return taken(rate, `credential ${actor.id}`, limits.perCredential, 'key')
  return andThen(taken(rate, `key ${actor.id}`, limits.perKey, 'key'), (key) =>
    andThen(taken(rate, `org ${actor.orgId}`, limits.perOrg, 'org'), (org) =>
      org.remaining < key.remaining ? org : key,
    ),
  )
}

const readingOf = (orgId: string): string => `reading ${orgId}`

/** Refuses an organisation whose reads have taken too long in this window. */
export const checkReading = (rate: RateCounter, limits: Limits, orgId: string): Soon<void> =>
  andThen(rate.peek(readingOf(orgId), limits.readMsPerOrg), (state) => {
    if (!state.allowed) refuse({ ...state, scope: 'org' }, 'ms of reading lists and reports')
  })

/** Counts the milliseconds that a read took. */
export const countReading = (rate: RateCounter, orgId: string, ms: number): Soon<void> => rate.add(readingOf(orgId), ms)
