import type { CredentialEnding } from '../core/errors.ts'
import type { EndpointMap, ResultOf } from '../index.ts'

export type ConsentDocument = ResultOf<EndpointMap['rooms.get']>['consentDocument']

export type ProblemKind =
  /** No answer, or one that says to come back later. */
  | 'later'
  /** Too many requests, or too many wrong codes, from this address. */
  | 'too_many'
  | 'unauthorized'
  | 'forbidden'
  | 'not_found'
  | 'conflict'
  /** It would be refused again. */
  | 'refused'

/** What of a refusal's `error` a device reads. */
export interface Refusal {
  /** Why a token no longer opens anything. */
  readonly reason?: CredentialEnding
  /** The consent document in force, when another one was answered. */
  readonly consentDocument?: ConsentDocument
  /** What was at fault in the request, by its path. */
  readonly details?: readonly { readonly path: string }[]
}

interface More extends Refusal {
  readonly retryAfterMs?: number | undefined
  readonly cause?: unknown
}

/** A request that did not succeed, as far as a phone or a room has to know. */
export class ApiProblem extends Error {
  override readonly name = 'ApiProblem'
  readonly kind: ProblemKind
  readonly retryAfterMs: number | undefined
  readonly refusal: Refusal

  constructor(kind: ProblemKind, { retryAfterMs, cause, ...refusal }: More = {}) {
    super(kind, { cause })
    this.kind = kind
    this.retryAfterMs = retryAfterMs
    this.refusal = refusal
  }
}

const kinds: Readonly<Record<number, ProblemKind>> = {
  401: 'unauthorized',
  403: 'forbidden',
  404: 'not_found',
  408: 'later',
  409: 'conflict',
  429: 'too_many',
}

/** Reads a refusal of the service. Only an answer in the service's own envelope comes here. */
export const problemOf = ({ status, headers }: Response, refusal: Refusal): ApiProblem => {
  const seconds = Number(headers.get('retry-after'))
  const retryAfterMs = seconds > 0 ? seconds * 1000 : undefined
  // A conflict that passes: the same request of before is still under way there.
  const passes = status >= 500 || (status === 409 && retryAfterMs !== undefined)
  return new ApiProblem(passes ? 'later' : (kinds[status] ?? 'refused'), { ...refusal, retryAfterMs })
}
