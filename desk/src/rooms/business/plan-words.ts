import { useLocale } from '@integrity/shared-ui/web/spoken'
import type { ReadResult } from '../../data/desk-api.ts'
import { useLanguage } from '../../parts/language.ts'
import { bytesWords, moneyWords } from './amounts.ts'

export type Ladder = ReadResult<'billing.plans'>
export type Rung = Ladder['items'][number]
export type Subscription = ReadResult<'portal.billing.subscription'>

/** Plans that can be bought. */
export const bought = ['team', 'business'] as const
export type Bought = (typeof bought)[number]
export type Interval = 'month' | 'year'

/** What a plan holds, and what it costs, in words. */
export const usePlanWords = () => {
  const { t } = useLanguage()
  const locale = useLocale()
  const limits = ({ limits: { sessionsPerMonth, members, storageBytes, retentionDays }, metered }: Rung): string =>
    [
      sessionsPerMonth === null
        ? t('businessNoLimitSessions')
        : t('businessLimitSessions', { count: sessionsPerMonth }),
      metered ? t('businessMetered') : null,
      members === null ? null : t('businessLimitMembers', { count: members }),
      storageBytes === null ? null : t('businessLimitStorage', { size: bytesWords(storageBytes, locale) }),
      retentionDays === null ? null : t('businessLimitRetention', { count: retentionDays }),
    ]
      .filter(Boolean)
      .join('; ')
  const price = ({ prices }: Rung, { currency }: Ladder, interval: Interval): string =>
    prices === null
      ? t('businessNotForSale')
      : t(`businessPricePer.${interval}`, { price: moneyWords(prices[interval], currency, locale) })
  return { limits, price }
}

/** Whether it is being paid for. */
export const isRunning = ({ status }: Subscription): boolean => status !== null && status !== 'cancelled'
