import type { Needs } from '../../../kernel/call.ts'
import type { Scope } from '../../../kernel/identity/scope.ts'
import { living, unfinished } from './backlog.model.ts'
import { countReviews, pageOfReviews } from './reviews.list.store.ts'
import { countCompleted, findFirstCompletedAt, findTurnaround } from './turnaround.store.ts'

export interface QueueFacts {
  readonly completed: number
  readonly openNow: number
  readonly oldestOpenAt: number | null
  readonly turnaroundMedianMs: number | null
  readonly turnaroundP90Ms: number | null
}

/** What the queue of an organisation holds now, and how long the reviews took that were completed in a time. */
export const queueFacts = async (
  call: Needs<'reader'>,
  { scope, span }: { readonly scope: Scope; readonly span: { readonly from: number; readonly until: number } },
): Promise<QueueFacts> => {
  const { reader } = call
  const filters = { states: unfinished, readiness: living, environments: [scope.environment] }
  const first = { skip: 0, take: 1, after: undefined } as const
  const [oldest] = await pageOfReviews(reader, scope.orgId, { filters, sort: 'oldest' }, first)
  const completed = await countCompleted(reader, scope, span)
  const at = (share: number) => findTurnaround(reader, scope, span, Math.max(0, Math.ceil(completed * share) - 1))
  return {
    completed,
    openNow: await countReviews(reader, scope.orgId, filters),
    oldestOpenAt: oldest?.openedAt ?? null,
    turnaroundMedianMs: await at(0.5),
    turnaroundP90Ms: await at(0.9),
  }
}

export const firstReviewAt = (call: Needs<'reader'>, scope: Scope): Promise<number | null> =>
  findFirstCompletedAt(call.reader, scope)

/** Reviews that nobody has completed: kept counts. */
export const openReviews = (call: Needs<'reader'>, scope: Scope): Promise<number> =>
  countReviews(call.reader, scope.orgId, {
    states: unfinished,
    readiness: living,
    environments: [scope.environment],
  })
