import { invalid, type PaymentProvider, plans, type ServiceError } from '@integrity/protocol'
import type { Needs } from '../../../kernel/call.ts'
import { sessionsBetween } from '../../interviews/sessions/lists/sessions.month.service.ts'
import {
  isMetered,
  type OrgPlan,
  type PlanPiece,
  plansBetween,
  takesMoney,
} from '../../organisation/plans/plans.service.ts'
import {
  claimMetering,
  findMetering,
  insertMetering,
  type MeteringRow,
  markPushed,
  releaseMetering,
} from './metering.store.ts'
import { paymentsOf } from './payments.service.ts'

export interface Metered {
  readonly period: string
  readonly quantity: number
  /** Whether the provider was told of it. */
  readonly pushed: boolean
  readonly repeated: boolean
  readonly plan: OrgPlan
  readonly provider: PaymentProvider | null
}

const day = 86_400_000
/** Longer than any try takes: only a process that was killed leaves a claim behind. */
const claimMs = 10 * 60_000
/** Stripe takes nothing that is older than 35 days; some are left for trying again. */
const oldestStampMs = 30 * day

const beginningOf = (period: string): number => Date.parse(`${period}-01T00:00:00.000Z`)
const endOf = (period: string): number => {
  const date = new Date(beginningOf(period))
  return Date.UTC(date.getUTCFullYear(), date.getUTCMonth() + 1, 1)
}
/** `2026-10`, of the month before an instant. */
export const lastPeriod = (now: number): string => {
  const date = new Date(now)
  return new Date(Date.UTC(date.getUTCFullYear(), date.getUTCMonth() - 1, 1)).toISOString().slice(0, 7)
}

type Meters = Needs<'clock' | 'config' | 'db' | 'httpOut' | 'log' | 'reader'>
interface OfMonth {
  readonly orgId: string
  readonly period: string
}

const planOfPiece = ({ span }: PlanPiece): OrgPlan => span?.plan ?? 'free'

/** What was made beyond the plan while a metered one was in force, and who is paid for that: facts of the month alone. */
const countMonth = async (call: Meters, { orgId, period }: OfMonth): Promise<Omit<MeteringRow, 'pushedAt'>> => {
  const now = call.clock.now()
  const stamp = Math.max(endOf(period) - 1000, now - oldestStampMs)
  const nobody = { quantity: 0, provider: null, subscriptionId: null, customerId: null, stamp }
  if (!takesMoney(call.config)) return { ...nobody, plan: 'self_hosted' }
  const pieces = await plansBetween(call, { orgId, from: beginningOf(period), to: endOf(period) })
  const metered = pieces.filter((piece) => isMetered(planOfPiece(piece)))
  const last = metered.at(-1)?.span
  if (!last) return { ...nobody, plan: pieces.at(-1)?.span?.plan ?? 'free' }
  let used = 0
  for (const { from, to } of metered) used += await sessionsBetween(call, { orgId, from, to })
  const quantity = Math.max(0, used - (plans[last.plan].limits.sessionsPerMonth ?? used))
  const { plan, provider, subscriptionId, customerId } = last
  if (provider === 'agreed') return { ...nobody, quantity, plan }
  return { quantity, plan, provider, subscriptionId, customerId, stamp }
}

/** Tells the provider, alone, and remembers that it was told, or why it was not. */
const push = async (
  call: Meters,
  of: OfMonth,
  {
    provider,
    subscriptionId,
    customerId,
    quantity,
    stamp,
    isSecondTry,
  }: MeteringRow & { readonly isSecondTry: boolean },
): Promise<boolean> => {
  if (provider === null || subscriptionId === null || stamp === null) return false
  const now = call.clock.now()
  if (!(await call.db.transact((tx) => claimMetering(tx, of, { now, until: now + claimMs })))) return false
  try {
    const usage = { ...of, subscriptionId, customerId, quantity, stamp, isSecondTry }
    await paymentsOf(call, provider).push(usage)
  } catch (error) {
    await call.db.transact((tx) => releaseMetering(tx, of, (error as ServiceError).message))
    throw error
  }
  await call.db.transact((tx) => markPushed(tx, of, call.clock.now()))
  return true
}

const meteredOf = ({ period }: OfMonth, row: MeteringRow, { repeated }: { readonly repeated: boolean }): Metered => ({
  period,
  repeated,
  quantity: row.quantity,
  plan: row.plan ?? 'free',
  provider: row.provider,
  pushed: row.quantity > 0 && row.pushedAt !== null,
})

/** The count of a month as it was made first. */
const countedOnce = async (call: Meters, of: OfMonth): Promise<{ row: MeteringRow; isNew: boolean }> => {
  const known = await findMetering(call.reader, of)
  if (known) return { row: known, isNew: false }
  const counted = await countMonth(call, of)
  return call.db.transact(async (tx) => {
    const isNew = await insertMetering(tx, { ...of, ...counted, now: call.clock.now() })
    return { row: (await findMetering(tx, of)) ?? { ...counted, pushedAt: null }, isNew }
  })
}

/**
 * Counts a month that is over and tells the provider, once. The count is kept before the provider is told, with whom to tell and
 * for which instant: whoever is killed in between finds it, asks the provider whether it came through, and sends the same again
 * only where it did not.
 */
export const meterPeriod = async (
  call: Meters,
  { orgId, period: asked }: { readonly orgId: string; readonly period?: string | undefined },
): Promise<Metered> => {
  const now = call.clock.now()
  const period = asked ?? lastPeriod(now)
  if (period > lastPeriod(now)) throw invalid('period', 'must be a month that is over')
  const of = { orgId, period }
  const { row, isNew } = await countedOnce(call, of)
  const isSettled = row.pushedAt !== null || row.quantity === 0 || row.provider === null
  if (isSettled) return meteredOf(of, row, { repeated: !isNew })
  const pushed = await push(call, of, { ...row, isSecondTry: !isNew })
  return meteredOf(of, pushed ? { ...row, pushedAt: now } : row, { repeated: false })
}
