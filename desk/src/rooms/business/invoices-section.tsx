import { Section } from '@integrity/shared-ui/web/section'
import { useLocale } from '@integrity/shared-ui/web/spoken'
import type { ReadResult } from '../../data/desk-api.ts'
import { useDesk } from '../../parts/desk-context.ts'
import { useLanguage } from '../../parts/language.ts'
import { Loaded } from '../../parts/loaded.tsx'
import { Pager } from '../../parts/pager.tsx'
import { Scrolled } from '../../parts/scrolled.tsx'
import { useEndpoint } from '../../parts/use-endpoint.ts'
import { moneyWords } from './amounts.ts'
import { utcDay } from './times.ts'

type Charge = ReadResult<'portal.billing.history'>['items'][number]

const dayWords = (at: string, locale: string) => utcDay(at.slice(0, 10), locale)

const Charges = ({ items }: { readonly items: readonly Charge[] }) => {
  const { t } = useLanguage()
  const locale = useLocale()
  return (
    <Scrolled label={t('businessInvoices')}>
      <table className="list">
        <caption className="unseen">{t('businessInvoices')}</caption>
        <thead>
          <tr>
            <th scope="col">{t('businessDayUtc')}</th>
            <th scope="col">{t('businessAmount')}</th>
            <th scope="col">{t('columnState')}</th>
            <th scope="col">{t('businessFor')}</th>
            <th scope="col">{t('businessInvoice')}</th>
          </tr>
        </thead>
        <tbody>
          {items.map(({ id, chargedAt, amount, currency, status, periodStart, periodEnd, url }) => (
            <tr key={id}>
              <td>{dayWords(chargedAt, locale)}</td>
              <td>{moneyWords(amount, currency, locale)}</td>
              <td>{t(`businessCharge.${status}`)}</td>
              <td>
                {periodStart && periodEnd
                  ? t('businessForPeriod', { from: dayWords(periodStart, locale), to: dayWords(periodEnd, locale) })
                  : null}
              </td>
              <td>
                {url === null ? null : (
                  <a href={url} target="_blank" rel="noopener noreferrer">
                    {t('businessInvoiceOpen', { id })}
                  </a>
                )}
              </td>
            </tr>
          ))}
        </tbody>
      </table>
    </Scrolled>
  )
}

/** The charges so far, newest first, as the payment provider reported them. */
export const InvoicesSection = ({ cursor }: { readonly cursor: string | undefined }) => {
  const { t } = useLanguage()
  const { org } = useDesk()
  const history = useEndpoint('portal.billing.history', { params: { orgId: org.id }, query: { limit: 25, cursor } })
  const at = (query: { readonly cursor?: string }) =>
    ({ room: 'organisation', org: org.slug, section: 'plan', query: { ...query } }) as const
  return (
    <Section title={t('businessInvoices')}>
      <Loaded question={history}>
        {({ items, total, nextCursor }) =>
          total === 0 ? (
            <p>{t('businessInvoicesNone')}</p>
          ) : (
            <>
              <Charges items={items} />
              <Pager
                shown={items.length}
                total={total}
                first={cursor === undefined ? undefined : at({})}
                next={nextCursor === null ? undefined : at({ cursor: nextCursor })}
              />
            </>
          )
        }
      </Loaded>
    </Section>
  )
}
