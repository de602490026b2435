import { sizeWords } from '@integrity/protocol/clients/size-words'
import { Fact, Facts } from '@integrity/shared-ui/web/facts'
import { Section } from '@integrity/shared-ui/web/section'
import { SelectField } from '@integrity/shared-ui/web/select-field'
import { Notice, Page } from '@integrity/shared-ui/web/shell'
import { useLocale } from '@integrity/shared-ui/web/spoken'
import type { ReadResult } from '../../data/desk-api.ts'
import type { ListQuery } from '../../data/route.ts'
import { useDesk, useMay } from '../../parts/desk-context.ts'
import { Link } from '../../parts/link.tsx'
import { Loaded } from '../../parts/loaded.tsx'
import { Pager } from '../../parts/pager.tsx'
import { shortTime } from '../../parts/spans.ts'
import { useEndpoint } from '../../parts/use-endpoint.ts'
import { peopleAt } from './people.ts'
import { inPeopleLanguage, useLanguage } from './people-language.tsx'
import { LastSweep, SweepForm } from './sweep-form.tsx'
import { WindowForm } from './window-form.tsx'

const horizons = [0, 7, 30] as const

type Due = ReadResult<'portal.retention.preview'>

/** What is due within so many days, in numbers. */
const DueSum = ({ days }: { readonly days: number }) => {
  const { t } = useLanguage()
  const locale = useLocale()
  const { org } = useDesk()
  const due = useEndpoint('portal.retention.preview', { params: { orgId: org.id }, query: { days, limit: 1 } })
  const words = ({ totals: { held, sessions, objects, sizeBytes } }: Due) =>
    t('peopleDueSum', { sessions, objects, size: sizeWords(sizeBytes, locale), held: held.sessions })
  return (
    <Fact name={t(days === 0 ? 'peopleDueNow' : 'peopleDueIn', { days })}>
      <Loaded question={due}>{words}</Loaded>
    </Fact>
  )
}

const DueTable = ({ items }: Pick<Due, 'items'>) => {
  const { t } = useLanguage()
  const locale = useLocale()
  const { org } = useDesk()
  return (
    <div className="scrolled">
      <table className="list">
        <caption className="unseen">{t('peopleDueTitle')}</caption>
        <thead>
          <tr>
            <th scope="col">{t('peopleInterview')}</th>
            <th scope="col">{t('peopleDueAt')}</th>
            <th scope="col">{t('peopleObjects')}</th>
            <th scope="col">{t('columnState')}</th>
          </tr>
        </thead>
        <tbody>
          {items.map(({ sessionId, externalId, environment, dueAt, objects, sizeBytes, held }) => (
            <tr key={sessionId}>
              <th scope="row">
                <Link to={{ room: 'interview', org: org.slug, id: sessionId }}>{externalId ?? sessionId}</Link>
              </th>
              <td>{shortTime(dueAt, locale)}</td>
              <td>{t('peopleObjectSum', { objects, size: sizeWords(sizeBytes, locale) })}</td>
              <td>
                {[held ? t('isHeld') : null, environment === 'sandbox' ? t('isSandbox') : null]
                  .filter(Boolean)
                  .join(' · ')}
              </td>
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  )
}

const DueList = ({ query }: { readonly query: ListQuery }) => {
  const { t } = useLanguage()
  const { org, navigation } = useDesk()
  const days = horizons.find((one) => String(one) === query['days']) ?? 30
  const { cursor } = query
  const due = useEndpoint('portal.retention.preview', {
    params: { orgId: org.id },
    query: { days, limit: 50, ...(cursor ? { cursor } : {}) },
  })
  const at = (to: ListQuery) => peopleAt(org, 'retention', undefined, to)
  return (
    <>
      <SelectField
        label={t('peopleDueShown')}
        value={String(days)}
        options={horizons.map((one) => ({
          id: String(one),
          label: t(one === 0 ? 'peopleDueNow' : 'peopleDueIn', { days: one }),
        }))}
        onChange={(chosen) => navigation.go(at({ days: chosen }))}
      />
      <Loaded question={due}>
        {({ items, total, nextCursor }) =>
          total === 0 ? (
            <p>{t('peopleNothingDue')}</p>
          ) : (
            <>
              <DueTable items={items} />
              <Pager
                shown={items.length}
                total={total}
                first={cursor === undefined ? undefined : at({ days: String(days) })}
                next={nextCursor === null ? undefined : at({ days: String(days), cursor: nextCursor })}
              />
            </>
          )
        }
      </Loaded>
    </>
  )
}

/** How long evidence is kept, what is due, and the deletion of what is due. */
export const RetentionPage = inPeopleLanguage(function Retention({ query }: { readonly query: ListQuery }) {
  const { t } = useLanguage()
  const { org } = useDesk()
  const mayHold = useMay('legal_hold.manage')
  const rules = useEndpoint('portal.retention.get', { params: { orgId: org.id } })
  return (
    <Page title={t('peopleRetentionSection')} wide>
      <Loaded question={rules}>
        {(found) => (
          <>
            {found.legalHold ? (
              <Notice kind="attention">
                {t('peopleOrgHeld', { reason: found.legalHold.reason })}{' '}
                {mayHold ? <Link to={peopleAt(org, 'holds')}>{t('peopleHoldsSection')}</Link> : null}
              </Notice>
            ) : null}
            <Section title={t('peopleWindow')}>
              <Facts>
                <Fact name={t('peopleInForce')}>{t('peopleDays', { n: found.inForceDays })}</Fact>
                <Fact name={t('peopleWindowSet')}>
                  {found.setAt === null ? t('peopleNotSet') : t('peopleDays', { n: found.defaultDays })}
                </Fact>
                <Fact name={t('peopleCeiling')}>
                  {found.ceilingDays === null ? t('peopleNoCeiling') : t('peopleDays', { n: found.ceilingDays })}
                </Fact>
              </Facts>
              {found.capped ? <Notice>{t('peopleCapped')}</Notice> : null}
              <WindowForm rules={found} />
            </Section>
          </>
        )}
      </Loaded>
      <Section title={t('peopleDueTitle')}>
        <Facts>
          {horizons.map((days) => (
            <DueSum key={days} days={days} />
          ))}
        </Facts>
        <DueList query={query} />
      </Section>
      <Section title={t('peopleSweepTitle')}>
        <SweepForm />
      </Section>
      <Section title={t('peopleLastSweep')}>
        <LastSweep />
      </Section>
    </Page>
  )
})
