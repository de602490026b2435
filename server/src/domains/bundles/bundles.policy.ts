import { ownActions } from '@integrity/protocol'
import type { Audience } from './bundles.types.ts'

const ofTheCandidate: ReadonlySet<string> = new Set(ownActions)

export const shownTo = (audience: Audience, action: string): boolean =>
  audience !== 'candidate' || ofTheCandidate.has(action)
