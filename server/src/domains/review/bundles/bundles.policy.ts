import { ownActions } from '@integrity/protocol'
import type { Audience } from './bundles.types.ts'

const ofTheCandidate: ReadonlySet<string> = new Set(ownActions)

/** Who of the organisation set a session up, ended it or erased it is not the candidate's either. */
const byOrganisation: ReadonlySet<string> = new Set(['user', 'api_key'])
const ofOrganisation: ReadonlySet<string> = new Set([
  'session.created',
  'session.ended',
  'session.erased',
  'session.partly_erased',
])

export const shownTo = (audience: Audience, action: string, actorKind: string): boolean =>
  audience !== 'candidate' ||
  (ofTheCandidate.has(action) && !(ofOrganisation.has(action) && byOrganisation.has(actorKind)))
