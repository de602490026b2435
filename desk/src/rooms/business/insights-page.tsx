import { Fact, Facts } from '@integrity/shared-ui/web/facts'
import { Section } from '@integrity/shared-ui/web/section'
import { Page } from '@integrity/shared-ui/web/shell'
import { useLocale } from '@integrity/shared-ui/web/spoken'
import type { ReadResult } from '../../data/desk-api.ts'
import { useDesk } from '../../parts/desk-context.ts'
import { useLanguage } from '../../parts/language.ts'
import { Loaded } from '../../parts/loaded.tsx'
import type { SectionProps } from '../../parts/section-props.ts'
import { spanWords } from '../../parts/spans.ts'
import { useEndpoint } from '../../parts/use-endpoint.ts'
import { namesBelow } from '../../words/desk.ts'
import { DayBars } from './day-bars.tsx'
import { lengthOf, PeriodField, periodOf } from './period.tsx'
import { utcTime } from './times.ts'

type Insights = ReadResult<'portal.insights.get'>

const Milestones = ({ milestones }: Pick<Insights, 'milestones'>) => {
  const { t } = useLanguage()
  const locale = useLocale()
  return (
    <Section title={t('businessMilestones')}>
      <Facts>
        {milestones.map(({ name, at }) => (
          <Fact key={name} name={t(`businessMilestone.${name}`)}>
            {at === null ? t('businessNotYet') : `${utcTime(at, locale)} UTC`}
          </Fact>
        ))}
      </Facts>
    </Section>
  )
}

const Funnel = ({ funnel, invitations }: Pick<Insights, 'funnel' | 'invitations'>) => {
  const { t } = useLanguage()
  return (
    <Section title={t('businessFunnel')}>
      <Facts>
        {funnel.map(({ stage, sessions }) => (
          <Fact key={stage} name={t(`businessStage.${stage}`)}>
            {sessions}
          </Fact>
        ))}
      </Facts>
      <p>{t('businessInvited', { ...invitations })}</p>
    </Section>
  )
}

const Reviews = ({ reviews }: Pick<Insights, 'reviews'>) => {
  const { t } = useLanguage()
  const locale = useLocale()
  const { completed, openNow, oldestOpenAt, turnaroundMedianMs, turnaroundP90Ms } = reviews
  return (
    <Section title={t('reviewsTitle')}>
      <Facts>
        <Fact name={t('businessReviewsDone')}>{completed}</Fact>
        <Fact name={t('businessReviewsOpen')}>{openNow}</Fact>
        {oldestOpenAt === null ? null : (
          <Fact name={t('businessReviewsOldest')}>{utcTime(oldestOpenAt, locale)} UTC</Fact>
        )}
        {turnaroundMedianMs === null ? null : (
          <Fact name={t('businessReviewsHalf')}>{spanWords(turnaroundMedianMs, locale)}</Fact>
        )}
        {turnaroundP90Ms === null ? null : (
          <Fact name={t('businessReviewsMost')}>{spanWords(turnaroundP90Ms, locale)}</Fact>
        )}
      </Facts>
    </Section>
  )
}

const Daily = ({ daily }: Pick<Insights, 'daily'>) => {
  const { t } = useLanguage()
  const locale = useLocale()
  return (
    <Section title={t('businessDailySessions')}>
      {namesBelow('state').map((state) => (
        <DayBars
          key={state}
          title={t(`businessStage.${state}`)}
          days={daily.map((day) => ({ date: day.date, up: day[state] }))}
          up={t(`businessStage.${state}`)}
          words={(value) => value.toLocaleString(locale)}
        />
      ))}
    </Section>
  )
}

/** How the organisation's own work goes, in a period whose end is the newest day that the service has counted. */
export const InsightsPage = ({ query }: SectionProps) => {
  const { t } = useLanguage()
  const { org } = useDesk()
  const length = lengthOf(query['days'])
  const newest = useEndpoint('portal.insights.get', { params: { orgId: org.id }, query: {} })
  const last = newest.state.name === 'there' ? newest.state.data.daily.at(-1)?.date : undefined
  const insights = useEndpoint('portal.insights.get', { params: { orgId: org.id }, query: periodOf(length, last) })
  return (
    <Page title={t('businessInsights')} wide>
      <p>{t('businessInsightsText')}</p>
      <PeriodField section="insights" length={length} />
      <Loaded question={insights}>
        {({ milestones, funnel, invitations, reviews, daily }) => (
          <>
            <Funnel {...{ funnel, invitations }} />
            <Daily daily={daily} />
            <Reviews reviews={reviews} />
            <Milestones milestones={milestones} />
          </>
        )}
      </Loaded>
    </Page>
  )
}
