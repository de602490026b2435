import { appointmentTimes, dayAndTime } from '@integrity/shared-ui/session/appointment-times'
import { Fact, Facts } from '@integrity/shared-ui/web/facts'
import { Notice, Page } from '@integrity/shared-ui/web/shell'
import { useLocale } from '@integrity/shared-ui/web/spoken'
import type { ReadResult } from '../../data/desk-api.ts'
import { useDesk, useMay } from '../../parts/desk-context.ts'
import { useLanguage } from '../../parts/language.ts'
import { Link } from '../../parts/link.tsx'
import { Loaded } from '../../parts/loaded.tsx'
import { useEndpoint } from '../../parts/use-endpoint.ts'

type Session = ReadResult<'sessions.detail'>

const Appointment = ({ schedule }: { readonly schedule: NonNullable<Session['schedule']> }) => {
  const locale = useLocale()
  const { own, theirs } = appointmentTimes(schedule, locale, Intl.DateTimeFormat().resolvedOptions().timeZone)
  return (
    <>
      {own.when} ({own.zone}){theirs ? <> · {`${theirs.when} (${theirs.zone})`}</> : null}
    </>
  )
}

const SessionFacts = ({ session }: { readonly session: Session }) => {
  const { t } = useLanguage()
  const locale = useLocale()
  const { id, externalId, state, schedule, consent, createdAt, startedAt, endedAt } = session
  return (
    <Facts>
      <Fact name={t('columnState')}>{t(`state.${state}`)}</Fact>
      {externalId === null ? null : <Fact name={t('columnReference')}>{externalId}</Fact>}
      {schedule ? (
        <Fact name={t('factScheduled')}>
          <Appointment schedule={schedule} />
        </Fact>
      ) : null}
      <Fact name={t('factConsent')}>{t(`consent.${consent.status}`)}</Fact>
      <Fact name={t('factCreated')}>{dayAndTime(createdAt, locale)}</Fact>
      {startedAt === null ? null : <Fact name={t('factStarted')}>{dayAndTime(startedAt, locale)}</Fact>}
      {endedAt === null ? null : <Fact name={t('factEnded')}>{dayAndTime(endedAt, locale)}</Fact>}
      <Fact name={t('factId')}>
        <code>{id}</code>
      </Fact>
    </Facts>
  )
}

/** One interview: how it stands, and the way to its review. Its title names nobody, as a window's title is seen by others. */
export const InterviewPage = ({ id }: { readonly id: string }) => {
  const { t } = useLanguage()
  const { org } = useDesk()
  const mayReview = useMay('report.view')
  const session = useEndpoint('sessions.detail', { params: { id } })
  return (
    <Page title={t('interviewTitle')} wide>
      <Loaded question={session}>
        {(found) => (
          <>
            <p className="lead">
              <bdi>{found.candidateLabel ?? t('unnamed')}</bdi>
              {found.sandbox ? ` · ${t('isSandbox')}` : null}
              {found.legalHold ? ` · ${t('isHeld')}` : null}
            </p>
            {found.erasedAt === null ? null : <Notice>{t('erasedText')}</Notice>}
            <SessionFacts session={found} />
            {mayReview && found.startedAt !== null ? (
              <p>
                <Link to={{ room: 'review', org: org.slug, id }}>{t('openReview')}</Link>
              </p>
            ) : null}
          </>
        )}
      </Loaded>
      <p>
        <Link to={{ room: 'interviews', org: org.slug, query: {} }}>{t('backToInterviews')}</Link>
      </p>
    </Page>
  )
}
