import { Section } from '@integrity/shared-ui/web/section'
import { Page } from '@integrity/shared-ui/web/shell'
import { useDesk, useMay } from '../../parts/desk-context.ts'
import { useLanguage } from '../../parts/language.ts'
import { Link } from '../../parts/link.tsx'
import { Loaded } from '../../parts/loaded.tsx'
import { ReviewList } from '../../parts/review-list.tsx'
import { useEndpoint } from '../../parts/use-endpoint.ts'
import { DueDeletions } from './due-deletions.tsx'
import { FirstSteps } from './first-steps.tsx'
import { NextInterviews } from './next-interviews.tsx'
import { ToAnswer } from './to-answer.tsx'

const LiveNow = () => {
  const { t } = useLanguage()
  const { org } = useDesk()
  const query = { state: 'live', limit: 10 } as const
  const live = useEndpoint('portal.sessions.list', { params: { orgId: org.id }, query })
  return (
    <Section title={t('liveNow')}>
      <Loaded question={live}>
        {({ items }) =>
          items.length === 0 ? (
            <p>{t('noneLive')}</p>
          ) : (
            <ul className="plain rows">
              {items.map(({ id, candidateLabel, externalId }) => (
                <li key={id}>
                  <Link to={{ room: 'interview', org: org.slug, id }}>{candidateLabel ?? t('unnamed')}</Link>
                  <span className="small">{externalId}</span>
                </li>
              ))}
            </ul>
          )
        }
      </Loaded>
    </Section>
  )
}

const ToReview = () => {
  const { t } = useLanguage()
  const { org } = useDesk()
  const reviews = useEndpoint('portal.reviews.list', { params: { orgId: org.id }, query: { limit: 10 } })
  return (
    <Section title={t('toReview')}>
      <Loaded question={reviews}>
        {({ items, total }) => (
          <>
            {items.length === 0 ? <p>{t('noneToReview')}</p> : <ReviewList items={items} />}
            {total > items.length ? (
              <p>
                <Link to={{ room: 'reviews', org: org.slug }}>{t('reviewsTitle')}</Link> ({total})
              </p>
            ) : null}
          </>
        )}
      </Loaded>
    </Section>
  )
}

/** Who is signed in, and what there is to do. */
export const TodayPage = () => {
  const { t } = useLanguage()
  const { person, org } = useDesk()
  const [seesSessions, seesReviews] = [useMay('session.view'), useMay('report.view')]
  const [managesRequests, signs] = [useMay('candidate_request.manage'), useMay('report.sign_off')]
  const deletes = useMay('retention.manage')
  return (
    <Page title={t('roomToday')} wide>
      <p>
        {t('signedInTo', { email: person.user.email, org: org.name })}{' '}
        {t('roleIs', { role: org.customRole?.name ?? t(`role.${org.role}`) })}
      </p>
      <FirstSteps />
      {seesSessions ? <LiveNow /> : null}
      {seesSessions ? <NextInterviews /> : null}
      {seesReviews ? <ToReview /> : null}
      {managesRequests || signs ? <ToAnswer /> : null}
      {deletes ? <DueDeletions /> : null}
    </Page>
  )
}
