import { type ReviewState, reviewReadiness } from '@integrity/protocol'
import type { Reads } from '../../../kernel/call.ts'
import { countReviews } from './reviews.list.store.ts'

/** How many sessions have a review in this state, erased ones included. */
export const countInReview = ({ reader, scope: { orgId, environment } }: Reads, state: ReviewState): Promise<number> =>
  countReviews(reader, orgId, { states: [state], readiness: reviewReadiness, environments: [environment] })
