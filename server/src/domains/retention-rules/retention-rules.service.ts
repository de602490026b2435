import { usualRetentionDays } from '@integrity/protocol'
import type { Needs } from '../../kernel/call.ts'
import { findRules, findRulesForUpdate, type RulesRow, updateCeiling, updateDefault } from './retention-rules.store.ts'

export interface Rules extends RulesRow {
  /** The shorter of the organisation's window, or the usual one, and the ceiling: for a session that names no days. */
  readonly inForceDays: number
  /** What no session may exceed, whatever it names; infinite where nobody has set anything. */
  readonly boundDays: number
}

const days = (set: number | null): number => set ?? Number.POSITIVE_INFINITY

/** The longest window that the organisation's plan allows; a self-hosted one has none. */
const ceilingOf = ({ ceilingDays }: RulesRow): number | null => ceilingDays

const rulesFrom = (row: RulesRow): Rules => {
  const ceilingDays = ceilingOf(row)
  return {
    ...row,
    ceilingDays,
    inForceDays: Math.min(row.defaultDays ?? usualRetentionDays, days(ceilingDays)),
    boundDays: Math.min(days(row.defaultDays), days(ceilingDays)),
  }
}

export const rulesOf = async (call: Needs<'reader'>, orgId: string): Promise<Rules> =>
  rulesFrom(await findRules(call.reader, orgId))

/** The same, unchanged by anybody else until the commit. */
export const lockRules = async (call: Needs<'tx'>, orgId: string): Promise<Rules> =>
  rulesFrom(await findRulesForUpdate(call.tx, orgId))

/** Call with the rules locked. */
export const setDefaultDays = (
  { tx, clock }: Needs<'clock' | 'tx'>,
  { orgId, wanted }: { readonly orgId: string; readonly wanted: number },
): Promise<void> => updateDefault(tx, orgId, wanted, clock.now())

/** What the plan allows: null is any. */
export const setCeilingDays = (
  { tx }: Needs<'tx'>,
  { orgId, ceilingDays }: { readonly orgId: string; readonly ceilingDays: number | null },
): Promise<void> => updateCeiling(tx, orgId, ceilingDays)
