import { consentLocaleFor } from '@integrity/protocol'
import type { Needs } from '../../../../kernel/call.ts'
import type { Scope } from '../../../../kernel/identity/scope.ts'
import { noteLanguage } from '../../../organisation/people/people.service.ts'

/** What happened to the second factor of an account. */
export const factorNews = [
  'totp_added',
  'passkey_added',
  'totp_removed',
  'passkey_removed',
  'last_removed',
  'recovery_code_used',
] as const
export type FactorNews = (typeof factorNews)[number]

/** Jobs about a person belong to no organisation. */
const personScope: Scope = { orgId: '', environment: 'live' }

/** Has the person told by mail. */
export const tellOfFactor = async (
  call: Needs<'jobs' | 'tx'>,
  { userId, news, locale }: { readonly userId: string; readonly news: FactorNews; readonly locale: string | undefined },
): Promise<void> => {
  await noteLanguage(call, { userId, locale })
  const payload = { userId, news, locale: consentLocaleFor(locale) }
  await call.jobs.enqueue({ ...call, scope: personScope }, { kind: 'auth.factor_news', payload })
}
