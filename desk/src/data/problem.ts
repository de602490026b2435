import { IntegrityError } from '@integrity/client/errors'

/** Why something cannot be shown, as far as whoever looks at it can do something about it. */
export type Problem = 'offline' | 'trouble' | 'forbidden' | 'not_found' | 'too_many' | 'over'

const problems: Readonly<Partial<Record<IntegrityError['kind'], Problem>>> = {
  unauthorized: 'over',
  forbidden: 'forbidden',
  not_found: 'not_found',
  too_many: 'too_many',
}

/** Throws what is no answer of the service. */
export const problemOf = (error: unknown): Problem => {
  if (!(error instanceof IntegrityError)) throw error
  if (error.isUnanswered) return 'offline'
  return problems[error.kind] ?? 'trouble'
}
