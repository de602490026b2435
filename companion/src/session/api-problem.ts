import type { ConsentDocument } from './session.types.ts'

export type ProblemKind =
  /** No answer, or one that says to come back later. */
  | 'later'
  /** Too many wrong codes from this address. */
  | 'too_many'
  | 'unauthorized'
  | 'forbidden'
  | 'not_found'
  | 'conflict'
  /** It would be refused again. */
  | 'refused'

interface More {
  readonly retryAfterMs?: number | undefined
  readonly document?: ConsentDocument | undefined
  readonly atFault?: readonly number[]
  readonly cause?: unknown
}

/** A request that did not succeed, as far as the phone has to know. */
export class ApiProblem extends Error {
  override readonly name = 'ApiProblem'
  readonly kind: ProblemKind
  readonly retryAfterMs: number | undefined
  /** The consent document in force, when another one was answered. */
  readonly document: ConsentDocument | undefined
  /** Indexes of the beats that were named as at fault. */
  readonly atFault: readonly number[]

  constructor(kind: ProblemKind, more: More = {}) {
    super(kind, { cause: more.cause })
    this.kind = kind
    this.retryAfterMs = more.retryAfterMs
    this.document = more.document
    this.atFault = more.atFault ?? []
  }
}

interface Refusal {
  readonly details?: readonly { readonly path: string }[]
  readonly consentDocument?: ConsentDocument
}

const beatsNamed = ({ details = [] }: Refusal): number[] => [
  ...new Set(
    details.flatMap(({ path }) => {
      const index = /^(?:body\.)?beats\.(\d+)(?:\.|$)/.exec(path)?.[1]
      return index === undefined ? [] : [Number(index)]
    }),
  ),
]

/** Reads a refusal of the service. Only an answer in the service's own envelope comes here. */
export const problemOf = (response: Response, refusal: Refusal): ApiProblem => {
  const { status } = response
  const seconds = Number(response.headers.get('retry-after'))
  const retryAfterMs = seconds > 0 ? seconds * 1000 : undefined
  if (status === 401) return new ApiProblem('unauthorized')
  if (status === 403) return new ApiProblem('forbidden')
  if (status === 404) return new ApiProblem('not_found')
  if (status === 429) return new ApiProblem('too_many', { retryAfterMs })
  // The same request of before is still under way there.
  if (status === 409 && retryAfterMs !== undefined) return new ApiProblem('later', { retryAfterMs })
  if (status === 409) return new ApiProblem('conflict', { document: refusal.consentDocument })
  if (status === 408 || status >= 500) return new ApiProblem('later', { retryAfterMs })
  return new ApiProblem('refused', { atFault: beatsNamed(refusal) })
}
