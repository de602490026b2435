import { IntegrityError } from '@integrity/client/errors'

/** Why something cannot be shown, as far as whoever looks at it can do something about it. */
export type Problem = 'offline' | 'trouble' | 'forbidden' | 'not_found' | 'too_many' | 'over'

const told = ['forbidden', 'not_found', 'too_many'] as const satisfies readonly (IntegrityError['kind'] & Problem)[]

/** Throws what is no answer of the service. */
export const problemOf = (error: unknown): Problem => {
  if (!(error instanceof IntegrityError)) throw error
  if (error.isUnanswered) return 'offline'
  if (error.kind === 'unauthorized') return 'over'
  return told.find((kind) => kind === error.kind) ?? 'trouble'
}
