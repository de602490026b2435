import { ServiceError } from '@integrity/protocol'
import type { Actor } from '../platform/actor.ts'
import type { RateCounter, RateState } from '../platform/rate/rate-counter.ts'
import type { Limits } from './config.ts'

export interface Ceiling extends RateState {
  /** The interface knows two names; every ceiling that is not the organisation's is reported as `key`. */
  readonly scope: 'key' | 'org'
}

const windowSeconds = 60

/** The interface's names, and beside them those of the IETF draft (draft-ietf-httpapi-ratelimit-headers-10). */
export const rateHeaders = (ceiling: Ceiling): Record<string, string> => ({
  'RateLimit-Limit': String(ceiling.limit),
  'RateLimit-Remaining': String(ceiling.remaining),
  'RateLimit-Reset': String(ceiling.resetSeconds),
  'RateLimit-Scope': ceiling.scope,
  'RateLimit-Policy': `"${ceiling.scope}";q=${ceiling.limit};w=${windowSeconds}`,
  RateLimit: `"${ceiling.scope}";r=${ceiling.remaining};t=${ceiling.resetSeconds}`,
})

const refuse = (ceiling: Ceiling): never => {
  const seconds = Math.max(1, ceiling.resetSeconds)
  throw new ServiceError(
    'rate_limited',
    `${ceiling.limit} requests in ${windowSeconds} s is the ceiling; wait ${seconds} s`,
    {
      headers: { ...rateHeaders(ceiling), 'Retry-After': String(seconds) },
    },
  )
}

const scoped = (state: RateState, scope: Ceiling['scope']): Ceiling => ({ ...state, scope })

/** Refuses an address that has presented too many wrong secrets in this window. */
export const checkFailures = async (rate: RateCounter, limits: Limits, address: string): Promise<void> => {
  const state = await rate.peek(`failures ${address}`, limits.failuresPerAddress)
  if (!state.allowed) refuse(scoped(state, 'key'))
}
export const countFailure = async (rate: RateCounter, limits: Limits, address: string): Promise<void> => {
  await rate.take(`failures ${address}`, limits.failuresPerAddress)
}

export const takeAddress = async (rate: RateCounter, limits: Limits, address: string): Promise<Ceiling> => {
  const state = scoped(await rate.take(`address ${address}`, limits.perAddress), 'key')
  return state.allowed ? state : refuse(state)
}

/** Counts a request against its credential and, for API keys, its organisation; answers the ceiling that is closest. */
export const takeCredential = async (rate: RateCounter, limits: Limits, actor: Actor): Promise<Ceiling> => {
  if (actor.kind === 'anonymous') return takeAddress(rate, limits, actor.id)
  if (actor.kind !== 'api_key') {
    const state = scoped(await rate.take(`credential ${actor.id}`, limits.perCredential), 'key')
    return state.allowed ? state : refuse(state)
  }
  const key = scoped(await rate.take(`key ${actor.id}`, limits.perKey), 'key')
  if (!key.allowed) return refuse(key)
  const org = scoped(await rate.take(`org ${actor.orgId}`, limits.perOrg), 'org')
  if (!org.allowed) return refuse(org)
  return org.remaining < key.remaining ? org : key
}
