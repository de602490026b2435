import { type FailureKind, IntegrityError } from '@integrity/client/errors'

/** Why a form was not sent, as far as its author can correct it. */
export interface SendProblem {
  readonly kind: 'notReached' | 'tooMany' | 'conflict' | 'notAccepted'
  /** Fields that the service named, by their path. */
  readonly fields: readonly string[]
}

const kinds: Readonly<Partial<Record<FailureKind, SendProblem['kind']>>> = {
  later: 'notReached',
  too_many: 'tooMany',
  conflict: 'conflict',
}

/** Rethrows errors that are not an answer of the service. */
export const sendProblemOf = (error: unknown): SendProblem => {
  if (!(error instanceof IntegrityError)) throw error
  return { kind: kinds[error.kind] ?? 'notAccepted', fields: error.details.map(({ path }) => path) }
}

/** Good enough to have been meant as an address; the service looks closer. */
export const looksLikeEmail = (text: string): boolean => /^[^\s@]+@[^\s@]+\.[^\s@]+$/.test(text.trim())
