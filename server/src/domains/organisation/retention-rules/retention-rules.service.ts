import { usualRetentionDays } from '@integrity/protocol'
import type { Needs } from '../../../kernel/call.ts'
import { laterThan } from '../../../kernel/seen.ts'
import { planInForce } from '../plans/plans.service.ts'
import { findRules, findRulesForUpdate, type RulesRow, updateDefault } from './retention-rules.store.ts'

export interface Rules extends RulesRow {
  /** The longest window that the plan allows at this moment; null: any, as where nobody takes money. */
  readonly ceilingDays: number | null
  /** The shorter of the organisation's window, or the usual one, and the ceiling: for a session that names no days. */
  readonly inForceDays: number
  /** What no session may exceed, whatever it names; infinite where nobody has set anything. */
  readonly boundDays: number
}

const days = (set: number | null): number => set ?? Number.POSITIVE_INFINITY

const rulesFrom = (row: RulesRow, ceilingDays: number | null): Rules => ({
  ...row,
  ceilingDays,
  inForceDays: Math.min(row.defaultDays ?? usualRetentionDays, days(ceilingDays)),
  boundDays: Math.min(days(row.defaultDays), days(ceilingDays)),
})

const ceilingOf = async (call: Needs<'clock' | 'config' | 'reader'>, orgId: string): Promise<number | null> =>
  (await planInForce(call, orgId)).limits.retentionDays

export const rulesOf = async (call: Needs<'clock' | 'config' | 'reader'>, orgId: string): Promise<Rules> =>
  rulesFrom(await findRules(call.reader, orgId), await ceilingOf(call, orgId))

/** The same, unchanged by anybody else until the commit. */
export const lockRules = async (call: Needs<'clock' | 'config' | 'tx'>, orgId: string): Promise<Rules> =>
  rulesFrom(await findRulesForUpdate(call.tx, orgId), await ceilingOf({ ...call, reader: call.tx }, orgId))

/** Call with the rules locked. */
export const setDefaultDays = (
  { tx, clock }: Needs<'clock' | 'tx'>,
  { orgId, wanted, before }: { readonly orgId: string; readonly wanted: number; readonly before: RulesRow },
): Promise<void> => updateDefault(tx, orgId, wanted, laterThan(before.setAt, clock.now()))
