import {
  notFound,
  type ReviewReadiness,
  type ReviewState,
  type reviewListQuery,
  reviewReadiness,
  reviewStates,
} from '@integrity/protocol'
import type * as z from 'zod'
import type { Needs, Writes } from '../../../kernel/call.ts'
import { environments } from '../../../kernel/identity/scope.ts'
import { type List, readPage } from '../../../kernel/paging.ts'
import { lockPeople } from '../../organisation/people/guards.service.ts'
import { holdersOf } from '../../organisation/people/people.service.ts'
import { living, unfinished } from './backlog.model.ts'
import { seenReadiness } from './changes.service.ts'
import { countByAssignee, countReviews, pageOfReviews, type ReviewFilters } from './reviews.list.store.ts'
import { findReview, lockReviewOf, updateReview } from './reviews.store.ts'
import type { ShownReview } from './reviews.types.ts'

/** A review of either environment, because people manage both. */
export const getReview = async (
  call: Needs<'reader'>,
  { orgId, id }: { readonly orgId: string; readonly id: string },
): Promise<ShownReview> => {
  const review = await findReview(call.reader, orgId, id)
  if (!review) throw notFound('review')
  return review
}

type Query = z.output<typeof reviewListQuery>

const statesOf = (state: Query['state']): readonly ReviewState[] => {
  if (state === 'all') return reviewStates
  return state === 'unfinished' ? unfinished : [state]
}

/** Erased ones are no work any more: they are shown to whoever asks for them, for all, or for one session. */
const readinessOf = ({ state, readiness, sessionId }: Query): readonly ReviewReadiness[] => {
  if (readiness !== undefined) return [readiness]
  return sessionId === undefined && state !== 'all' && state !== 'completed' ? living : reviewReadiness
}

const filtersOf = (query: Query): ReviewFilters => {
  const { state, assignee, sessionId, environment } = query
  return {
    states: statesOf(state),
    readiness: readinessOf(query),
    environments: environment === undefined ? environments : [environment],
    assigneeId: assignee === 'none' ? '' : assignee,
    sessionId,
  }
}

/** A page of the queue, and how many the filters match. */
export const readReviews = async (
  call: Needs<'reader'>,
  { orgId, query }: { readonly orgId: string; readonly query: Query },
) => {
  const { reader } = call
  const { sort } = query
  const filters = filtersOf(query)
  const list: List<ShownReview> = {
    of: ['reviews', orgId, filters, sort],
    kinds: ['number', 'string'],
    keyOf: ({ openedAt, id }) => [openedAt, id],
    fetch: (stretch) => pageOfReviews(reader, orgId, { filters, sort }, stretch),
  }
  return { page: await readPage(list, query), total: await countReviews(reader, orgId, filters) }
}

/** Who may sign off, by name, with how much they have. */
export const readAssignees = async (call: Needs<'reader'>, orgId: string) => {
  const members = await holdersOf(call, { orgId, permission: 'report.sign_off' })
  const counts = await countByAssignee(call.reader, orgId)
  const byName = new Intl.Collator('en')
  return members
    .map(({ id, name, email }) => ({ membershipId: id, name: name ?? email, openReviews: counts.get(id) ?? 0 }))
    .sort((a, b) => byName.compare(a.name, b.name) || (a.membershipId < b.membershipId ? -1 : 1))
}

/** Once the agent of a session delivers nothing any more. */
export const settleReview = async (call: Writes & Needs<'clock'>, sessionId: string): Promise<void> => {
  const { tx, scope } = call
  await lockPeople(call, scope.orgId)
  const review = await lockReviewOf(tx, scope, sessionId)
  if (review?.readiness !== 'collecting') return
  await updateReview(tx, scope.orgId, review, { readiness: seenReadiness(review, call.clock.now()) })
}
