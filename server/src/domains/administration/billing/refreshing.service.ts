import type { PaymentProvider } from '@integrity/protocol'
import type { Needs } from '../../../kernel/call.ts'
import type { SubscriptionReading, SubscriptionRow } from '../../../platform/payments/types.ts'
import { orgExists } from '../../organisation/orgs/orgs.service.ts'
import { applySubscription } from './applying.service.ts'
import { saveCharge } from './billing.store.ts'
import { paymentsOf } from './payments.service.ts'
import { rowAfter } from './subscriptions.model.ts'
import { findSubscriptionAcrossOrgs } from './subscriptions.store.ts'

export type Refreshes = Needs<'audit' | 'clock' | 'config' | 'db' | 'httpOut' | 'jobs' | 'log' | 'reader' | 'requestId'>

export interface Theirs {
  readonly provider: PaymentProvider
  readonly subscriptionId: string
}

/** What is known besides of what the provider says. */
export interface Known {
  /** Whose hosted page it was bought on, where the provider says nothing of it. */
  readonly orgId?: string
  /** The provider was told just now to end it at the end of the period. */
  readonly willEnd?: boolean
}

/** So often an answer may be overtaken by a newer one. */
const tries = 20

const asAsked = (reading: SubscriptionReading, { willEnd = false }: Known): SubscriptionReading =>
  willEnd && reading.status !== 'cancelled'
    ? { ...reading, cancelAtPeriodEnd: true, cancelAt: reading.cancelAt ?? reading.periodEnd }
    : reading

/** Whose it is: a subscription is known by its id, and by what was written down with it only while it is new. */
const ownerOf = async (
  call: Refreshes,
  reading: SubscriptionReading,
  { before, known }: { readonly before: SubscriptionRow | undefined; readonly known: Known },
): Promise<string | undefined> => {
  const orgId = before?.orgId ?? reading.orgId ?? known.orgId
  const of = { provider: reading.provider, subscriptionId: reading.subscriptionId }
  if (before && reading.orgId !== undefined && reading.orgId !== before.orgId)
    call.log.warn(of, 'a subscription names another organisation than the one it is of; it stays with that one')
  if (orgId !== undefined && (before || (await orgExists(call, orgId)))) return orgId
  call.log.warn(of, 'a subscription names no organisation of this service; it is left alone')
  return undefined
}

/**
 * Asks the provider how a subscription stands, and takes that over. An answer counts only where no other was kept since it was
 * asked for: of two that are on their way at once, the older one is asked for again.
 * @returns the row as it is kept; undefined for a subscription that is none of ours
 */
export const takeSubscription = async (
  call: Refreshes,
  { provider, subscriptionId, known = {} }: Theirs & { readonly known?: Known },
): Promise<SubscriptionRow | undefined> => {
  const theirs = { provider, subscriptionId }
  const payments = paymentsOf(call, provider)
  for (let n = 0; n < tries; n += 1) {
    const before = await findSubscriptionAcrossOrgs(call.reader, provider, subscriptionId)
    const answer = await payments.read(subscriptionId)
    if (!answer) {
      call.log.warn(theirs, 'the provider does not know a subscription (any more); it is left as it was')
      return before
    }
    const reading = asAsked(answer, known)
    const orgId = await ownerOf(call, reading, { before, known })
    if (orgId === undefined) return undefined
    const row = rowAfter(reading, { before, orgId, now: call.clock.now() })
    if (!reading.bought || !reading.status)
      call.log.warn(theirs, 'the price or the state of a subscription is not recognised; what was known of it stays')
    if (!row) return undefined
    const since = reading.startedAt ?? reading.periodStart ?? call.clock.now()
    if (await call.db.transact((tx) => applySubscription({ ...call, tx }, { row, before, since }))) return row
  }
  throw new Error(`the subscription ${subscriptionId} changed ${tries} times while it was asked about`)
}

const takeCharges = async (call: Refreshes, { orgId, provider, subscriptionId }: SubscriptionRow): Promise<void> => {
  const charges = await paymentsOf(call, provider).charges(subscriptionId)
  await call.db.transact(async (tx) => {
    for (const charge of charges) await saveCharge(tx, orgId, charge)
  })
}

/** The same, with its charges: one that cannot be listed keeps nobody from their plan. */
export const takeWithCharges = async (
  call: Refreshes,
  theirs: Theirs & { readonly known?: Known },
): Promise<SubscriptionRow | undefined> => {
  const row = await takeSubscription(call, theirs)
  if (row) await takeCharges(call, row)
  return row
}
