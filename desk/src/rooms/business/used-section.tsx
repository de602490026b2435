import { Fact, Facts } from '@integrity/shared-ui/web/facts'
import { Section } from '@integrity/shared-ui/web/section'
import { useLocale } from '@integrity/shared-ui/web/spoken'
import type { ReadResult } from '../../data/desk-api.ts'
import { useLanguage } from '../../parts/language.ts'
import { bytesWords } from './amounts.ts'

type Entitlements = ReadResult<'portal.billing.entitlements'>

/** What the plan holds, and what is used of it. */
export const UsedSection = ({ entitlements: { plan, items } }: { readonly entitlements: Entitlements }) => {
  const { t } = useLanguage()
  const locale = useLocale()
  return (
    <Section title={t('businessPlanIs', { plan: t(`businessPlan.${plan}`) })}>
      <Facts>
        {items.map(({ name, limit, used, state }) => {
          const words = (value: number) =>
            name === 'storage_bytes' ? bytesWords(value, locale) : value.toLocaleString(locale)
          return (
            <Fact key={name} name={t(`businessUsed.${name}`)}>
              {limit === null
                ? t('businessUsedNoLimit', { used: words(used) })
                : t('businessUsedOf', { used: words(used), limit: words(limit) })}{' '}
              {state === 'ok' ? null : t(`businessUsedState.${state}`)}
            </Fact>
          )
        })}
      </Facts>
    </Section>
  )
}
