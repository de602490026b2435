import { baseRateSessions, type MomentRuleName } from '@integrity/protocol'
import type { Reads } from '../../../kernel/call.ts'
import { showsBaseRates } from '../../interviews/session-policies/session-policies.service.ts'
import type { SessionRow } from '../../interviews/sessions/sessions.types.ts'
import { reviewSettingsOf } from '../../organisation/orgs/review-settings.service.ts'
import { everyInterview, listCounts } from './base-rates.store.ts'

/** In how many interviews of a policy a rule found something. */
export interface BaseRate {
  readonly sessions: number
  readonly seenIn: number
}

export type BaseRateOf = (rule: MomentRuleName) => BaseRate | null

const unknown: BaseRateOf = () => null

/** What was counted of the interviews with the same policy; nothing is counted here. */
export const readBaseRates = async (call: Reads, { policy }: Pick<SessionRow, 'policy'>): Promise<BaseRateOf> => {
  if (!policy || !(await showsBaseRates(call, policy.id))) return unknown
  const { settings } = await reviewSettingsOf(call, call.scope.orgId)
  if (!settings.baseRates) return unknown
  const counts = await listCounts(call.reader, call.scope, policy.id)
  const counted = new Map(counts.map(({ rule, sessions }) => [rule, sessions]))
  const sessions = counted.get(everyInterview) ?? 0
  return sessions < baseRateSessions ? unknown : (rule) => ({ sessions, seenIn: counted.get(rule) ?? 0 })
}
