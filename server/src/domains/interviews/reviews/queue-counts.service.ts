import { type ReviewState, reviewReadiness } from '@integrity/protocol'
import type { Scope } from '../../../kernel/identity/scope.ts'
import type { Reader } from '../../../platform/db/types.ts'
import { countReviews } from './reviews.list.store.ts'

/** How many sessions have a review in this state, erased ones included. */
export const countInReview = (reader: Reader, { orgId, environment }: Scope, state: ReviewState): Promise<number> =>
  countReviews(reader, orgId, { states: [state], readiness: reviewReadiness, environments: [environment] })
