import { type ReviewReadiness, type ReviewState, reviewReadiness, reviewStates } from '@integrity/protocol'

/** The backlog, wherever it is counted or shown: reviews that are not completed, of sessions that there is still something of. */
export const unfinished: readonly ReviewState[] = reviewStates.filter((state) => state !== 'completed')
/** What an erasure leaves is not waited for. */
export const living: readonly ReviewReadiness[] = reviewReadiness.filter((readiness) => readiness !== 'erased')
