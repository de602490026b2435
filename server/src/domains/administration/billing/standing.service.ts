import type { Needs } from '../../../kernel/call.ts'
import { type List, type PageQuery, readPage } from '../../../kernel/paging.ts'
import type { ChargeRow, CheckoutRow, SubscriptionRow } from '../../../platform/payments/types.ts'
import { membersOf, type OrgPlan, planOf, spansNow } from '../../organisation/plans/plans.service.ts'
import { rankOf } from '../../organisation/plans/spans.model.ts'
import { countCharges, pageOfCharges } from './billing.store.ts'
import { listPages } from './pages.store.ts'
import { graceEnd, isRunning } from './subscriptions.model.ts'
import { listSubscriptions } from './subscriptions.store.ts'

type Asks = Needs<'clock' | 'config' | 'reader'>

export interface Standing {
  readonly plan: OrgPlan
  /** Of several the one that counts; one that has ended where none runs. */
  readonly subscription: SubscriptionRow | undefined
  /** How many members the subscription's plan holds. */
  readonly seats: number | null
  readonly graceEndsAt: number | null
  /** Others that run as well. */
  readonly others: readonly SubscriptionRow[]
  /** The newest hosted page that is open, while nothing is paid for. */
  readonly checkout: CheckoutRow | undefined
}

/** Those of an organisation, the one that counts first: what gives a plan, then what runs, then what was asked about last. */
export const subscriptionsInOrder = async (
  call: Needs<'clock' | 'reader'>,
  orgId: string,
): Promise<{ readonly rows: readonly SubscriptionRow[]; readonly gives: (row: SubscriptionRow) => boolean }> => {
  const given = new Set((await spansNow(call, orgId)).map((span) => `${span.provider} ${span.subscriptionId}`))
  const gives = ({ provider, subscriptionId }: SubscriptionRow): boolean => given.has(`${provider} ${subscriptionId}`)
  const order = (row: SubscriptionRow): readonly number[] => [
    ...[Number(gives(row)), Number(isRunning(row)), rankOf(row.plan), Number(!row.cancelAtPeriodEnd)],
    row.seats,
  ]
  const rows = (await listSubscriptions(call.reader, orgId)).toSorted((a, b) => {
    const [left, right] = [order(a), order(b)]
    const at = left.findIndex((value, n) => value !== right[n])
    return at < 0 ? 0 : (right[at] ?? 0) - (left[at] ?? 0)
  })
  return { rows, gives }
}

/** The plan of an organisation, and what is paid for it. */
export const standingOf = async (call: Asks, orgId: string): Promise<Standing> => {
  const { rows, gives } = await subscriptionsInOrder(call, orgId)
  const [subscription, ...rest] = rows
  const isBought = subscription !== undefined && isRunning(subscription)
  const [page] = isBought ? [] : await listPages(call.reader, orgId, call.clock.now())
  return {
    plan: await planOf(call, orgId),
    subscription,
    seats: subscription ? membersOf(subscription.plan, subscription.seats) : null,
    graceEndsAt: subscription && gives(subscription) ? graceEnd(subscription) : null,
    others: rest.filter(isRunning),
    checkout: page,
  }
}

export const listCharges = async (
  call: Needs<'reader'>,
  { orgId, query }: { readonly orgId: string; readonly query: PageQuery },
) => {
  const list: List<ChargeRow> = {
    of: ['charges', orgId],
    kinds: ['number', 'string'],
    keyOf: ({ chargedAt, id }) => [chargedAt, id],
    fetch: (stretch) => pageOfCharges(call.reader, orgId, stretch),
  }
  return { page: await readPage(list, query), total: await countCharges(call.reader, orgId) }
}
