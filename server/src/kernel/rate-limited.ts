import { ServiceError } from '@integrity/protocol'

/** The ceiling that a request is near to, or has hit. */
export interface Ceiling {
  readonly limit: number
  readonly remaining: number
  readonly resetSeconds: number
  /** The interface knows two names; every ceiling that is not the organisation's is reported as `key`. */
  readonly scope: 'key' | 'org'
}

/** The interface's names, and beside them those of the IETF draft (draft-ietf-httpapi-ratelimit-headers-10). */
export const addRateHeaders = <T extends Record<string, string | string[]>>(
  headers: T,
  { limit, remaining, resetSeconds, scope }: Ceiling,
  windowSeconds = 60,
): T => {
  const into: Record<string, string | string[]> = headers
  into['RateLimit-Limit'] = `${limit}`
  into['RateLimit-Remaining'] = `${remaining}`
  into['RateLimit-Reset'] = `${resetSeconds}`
  into['RateLimit-Scope'] = scope
  into['RateLimit-Policy'] = `"${scope}";q=${limit};w=${windowSeconds}`
  into['RateLimit'] = `"${scope}";r=${remaining};t=${resetSeconds}`
  return headers
}

export const rateHeaders = (ceiling: Ceiling): Record<string, string> => addRateHeaders({}, ceiling)

/** Refuses what is too much, with the headers of the ceiling that was hit, whichever that is. */
export const rateLimited = (
  message: string,
  hit: {
    readonly limit: number
    readonly waitSeconds: number
    readonly windowSeconds: number
    readonly scope?: 'key' | 'org'
  },
): ServiceError => {
  const { limit, windowSeconds, scope = 'key' } = hit
  const seconds = Math.max(1, Math.ceil(hit.waitSeconds))
  const ceiling = { limit, remaining: 0, resetSeconds: seconds, scope }
  const headers = { ...addRateHeaders({}, ceiling, windowSeconds), 'Retry-After': String(seconds) }
  return new ServiceError('rate_limited', `${message}; wait ${seconds} s`, { headers })
}
