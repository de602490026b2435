import { Fact, Facts } from '@integrity/shared-ui/web/facts'
import { Section } from '@integrity/shared-ui/web/section'
import { Page } from '@integrity/shared-ui/web/shell'
import { useLocale } from '@integrity/shared-ui/web/spoken'
import type { ReadResult } from '../../data/desk-api.ts'
import { useDesk } from '../../parts/desk-context.ts'
import { useLanguage } from '../../parts/language.ts'
import { Link } from '../../parts/link.tsx'
import { Loaded } from '../../parts/loaded.tsx'
import type { SectionProps } from '../../parts/section-props.ts'
import { useEndpoint } from '../../parts/use-endpoint.ts'
import { bytesWords } from './amounts.ts'
import { DayBars } from './day-bars.tsx'
import { type Length, lengthOf, PeriodField, periodOf } from './period.tsx'

type Usage = ReadResult<'portal.usage.get'>

const Totals = ({ usage: { totals, byType } }: { readonly usage: Usage }) => {
  const { t } = useLanguage()
  const locale = useLocale()
  return (
    <Section title={t('businessStoredNow')}>
      <p>{t('businessStoredSum', { objects: totals.objects, size: bytesWords(totals.sizeBytes, locale) })}</p>
      <Facts>
        {byType.map(({ evidenceType, objects, sizeBytes }) => (
          <Fact key={evidenceType} name={t(`type.${evidenceType}`)}>
            {t('businessStoredSum', { objects, size: bytesWords(sizeBytes, locale) })}
          </Fact>
        ))}
      </Facts>
    </Section>
  )
}

const Heaviest = ({ heaviest }: Pick<Usage, 'heaviest'>) => {
  const { t } = useLanguage()
  const { org } = useDesk()
  const locale = useLocale()
  if (heaviest.length === 0) return null
  return (
    <Section title={t('businessHeaviest')}>
      <ol>
        {heaviest.map(({ sessionId, environment, externalId, sizeBytes }) => (
          <li key={sessionId}>
            <Link to={{ room: 'interview', org: org.slug, id: sessionId }}>{externalId ?? sessionId}</Link>
            {environment === 'sandbox' ? ` · ${t('isSandbox')}` : null} · {bytesWords(sizeBytes, locale)}
          </li>
        ))}
      </ol>
    </Section>
  )
}

/** What came and went on each day of a period, whose end is the newest day that the service has counted. */
const Daily = ({ length, last }: { readonly length: Length; readonly last: string | undefined }) => {
  const { t } = useLanguage()
  const { org } = useDesk()
  const locale = useLocale()
  const usage = useEndpoint('portal.usage.get', { params: { orgId: org.id }, query: periodOf(length, last) })
  return (
    <Section title={t('businessDaily')}>
      <PeriodField section="usage" length={length} />
      <Loaded question={usage}>
        {({ daily }) => (
          <DayBars
            title={t('businessDaily')}
            days={daily.map(({ date, addedBytes, erasedBytes }) => ({ date, up: addedBytes, down: erasedBytes }))}
            up={t('businessAdded')}
            down={t('businessErased')}
            words={(value) => bytesWords(value, locale)}
          />
        )}
      </Loaded>
    </Section>
  )
}

/** How much the organisation stores. */
export const UsagePage = ({ query }: SectionProps) => {
  const { t } = useLanguage()
  const { org } = useDesk()
  const usage = useEndpoint('portal.usage.get', { params: { orgId: org.id }, query: {} })
  return (
    <Page title={t('businessUsage')} wide>
      <p>{t('businessUsageText')}</p>
      <Loaded question={usage}>
        {(found) =>
          found.totals.objects === 0 && found.daily.every(({ erasedBytes }) => erasedBytes === 0) ? (
            <p>{t('businessUsageNone')}</p>
          ) : (
            <>
              <Totals usage={found} />
              <Daily length={lengthOf(query['days'])} last={found.daily.at(-1)?.date} />
              <Heaviest heaviest={found.heaviest} />
            </>
          )
        }
      </Loaded>
    </Page>
  )
}
