import { noLimits, type PlanLimits, type PlanName, plans, ServiceError, selfHosted } from '@integrity/protocol'
import type { Needs } from '../../../kernel/call.ts'
import type { Config } from '../../../kernel/config.ts'
import {
  endSpan,
  findFirstSpan,
  findLastSpan,
  listLapsedSpansOfAllOrgs,
  listSpans,
  noteEnd,
  type SpanRow,
  saveSpan,
} from './plans.store.ts'
import { bestOf, covers, type Piece, piecesOf } from './spans.model.ts'

export type OrgPlan = PlanName | typeof selfHosted
export type Span = SpanRow
export type PlanPiece = Piece

/** Whether anybody takes money here. Without, there are no plans and no limits. */
export const takesMoney = ({ payment: { stripe, razorpay } }: Pick<Config, 'payment'>): boolean =>
  stripe.key !== undefined || razorpay.keyId !== undefined

type Asks = Needs<'clock' | 'config' | 'reader'>

/** What an organisation has a right to at this moment, of whatever source. */
export const spansNow = (call: Needs<'clock' | 'reader'>, orgId: string): Promise<Span[]> => {
  const now = call.clock.now()
  return listSpans(call.reader, orgId, { from: now, to: now + 1 })
}

export interface PlanInForce {
  readonly plan: OrgPlan
  readonly limits: PlanLimits
}

/** More seats than a plan holds are those of whoever pays for that many. */
const withSeats = (limits: PlanLimits, seats: number): PlanLimits => ({
  ...limits,
  members: limits.members === null ? null : Math.max(limits.members, seats),
})

/** How many members a plan that is paid for holds; null: any number. */
export const membersOf = (plan: PlanName, seats: number): number | null => withSeats(plans[plan].limits, seats).members

/** The plan of an organisation and its limits, as they are in force at this moment: nothing of them is kept elsewhere. */
export const planInForce = async (call: Asks, orgId: string): Promise<PlanInForce> => {
  const spans = await spansNow(call, orgId)
  const best = bestOf(spans)
  const plan = takesMoney(call.config) ? (best?.plan ?? 'free') : selfHosted
  const limits = plan === selfHosted ? noLimits : withSeats(plans[plan].limits, best?.seats ?? 0)
  // What was agreed upon holds beside whatever is paid for.
  const agreed = spans.find(({ retentionDays }) => retentionDays !== null)?.retentionDays
  return { plan, limits: { ...limits, retentionDays: agreed ?? limits.retentionDays } }
}

export const planOf = async (call: Asks, orgId: string): Promise<OrgPlan> => (await planInForce(call, orgId)).plan

/** Whether sessions beyond the plan are charged for, and so never refused. */
export const isMetered = (plan: OrgPlan): boolean => plan !== selfHosted && plans[plan].metered

/**
 * Which plan counted when. Of a stretch before anything is known of an organisation, the first that is known counts: who is on
 * a smaller plan cannot have used more than that one has.
 */
export const plansBetween = async (
  call: Needs<'reader'>,
  { orgId, ...stretch }: { readonly orgId: string; readonly from: number; readonly to: number },
): Promise<PlanPiece[]> => {
  const spans = await listSpans(call.reader, orgId, stretch)
  if (spans.length > 0) return piecesOf(spans, stretch)
  const first = await findFirstSpan(call.reader, orgId)
  return [{ ...stretch, span: first && first.fromAt >= stretch.to ? first : undefined }]
}

/** What a source gives from now on: a plan until an end, or nothing any more. */
export interface Given extends Pick<Span, 'provider' | 'subscriptionId' | 'customerId' | 'seats' | 'untilAt'> {
  readonly orgId: string
  readonly plan: PlanName | undefined
  /** Since when it runs, where nothing was known of it before. */
  readonly since: number
  readonly retentionDays?: number | null
}

/** Keeps from when until when a plan is given. Call with the subscription locked. */
export const givePlanUntil = async ({ tx, clock }: Needs<'clock' | 'tx'>, given: Given): Promise<void> => {
  const { orgId, plan, untilAt, provider, subscriptionId, customerId, seats, retentionDays = null } = given
  const now = clock.now()
  const last = await findLastSpan(tx, given)
  const gives = plan !== undefined && (untilAt === null || untilAt > now)
  const goesOn = last !== undefined && covers(last, now)
  const span = { provider, subscriptionId, customerId, seats, untilAt, retentionDays }
  if (gives && goesOn && last.plan === plan && last.seats === seats) {
    await saveSpan(tx, orgId, { ...span, plan, fromAt: last.fromAt })
    return
  }
  // One that ended by itself keeps its end; that is noted elsewhere.
  if (goesOn) await endSpan(tx, orgId, last, now)
  if (gives) await saveSpan(tx, orgId, { ...span, plan, fromAt: last ? now : Math.min(given.since, now) })
}

/** Across organisations: what ended by itself, told once to `note` in the transaction that marks it as told. */
export const noteLapsedOfAllOrgs = async (
  call: Needs<'clock' | 'db' | 'reader'>,
  note: (tx: Needs<'tx'>, span: Span & { readonly orgId: string }) => Promise<void>,
): Promise<void> => {
  const now = call.clock.now()
  const limit = 100
  for (;;) {
    const page = await listLapsedSpansOfAllOrgs(call.reader, { now, limit })
    for (const span of page)
      await call.db.transact(async (tx) => {
        if (await noteEnd(tx, span.orgId, span, now)) await note({ tx }, span)
      })
    if (page.length < limit) return
  }
}

const words = {
  sessions: 'sessions of this month are used up; an upgrade of the plan, or the next month, opens more',
  storage_bytes: 'bytes of storage of the plan are used up; upgrade the plan, or erase what is no longer needed',
  members: 'seats of the plan are taken; deactivate a member or upgrade the plan',
} as const
const limitOf = {
  sessions: 'sessionsPerMonth',
  storage_bytes: 'storageBytes',
  members: 'members',
} as const satisfies Record<keyof typeof words, keyof PlanLimits>

/** Refuses one more of what a plan has so many of, each counted where it has a limit. Nothing that is there already is touched. */
export const refuseBeyondPlan = async (
  call: Asks,
  {
    orgId,
    counts,
  }: { readonly orgId: string; readonly counts: { readonly [Name in keyof typeof words]?: () => Promise<number> } },
): Promise<void> => {
  const { plan, limits } = await planInForce(call, orgId)
  for (const name of Object.keys(counts) as (keyof typeof words)[]) {
    const limit = limits[limitOf[name]]
    if (limit === null || (name === 'sessions' && isMetered(plan))) continue
    const used = (await counts[name]?.()) ?? 0
    if (used >= limit)
      throw new ServiceError('conflict', `all ${limit} ${words[name]}`, {
        extra: { reason: 'plan_limit', limit: { name, limit, used, plan } },
      })
  }
}
