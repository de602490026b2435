import { notFound } from '@integrity/protocol'

const compositionPrefix = 'cmp_'
const sessionPrefix = 'ses_'

/** A session has one composition, so the id of one follows from the other's and nothing is written to name it. */
export const compositionIdOf = (sessionId: string): string => compositionPrefix + sessionId.slice(sessionPrefix.length)

/** Throws `not_found` for what is no composition's id. */
export const sessionIdOf = (compositionId: string): string => {
  if (!compositionId.startsWith(compositionPrefix)) throw notFound('composition')
  return sessionPrefix + compositionId.slice(compositionPrefix.length)
}
