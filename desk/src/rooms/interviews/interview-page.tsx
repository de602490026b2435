import { dayAndTime } from '@integrity/shared-ui/session/appointment-times'
import { Fact, Facts } from '@integrity/shared-ui/web/facts'
import { Page } from '@integrity/shared-ui/web/shell'
import { useLocale } from '@integrity/shared-ui/web/spoken'
import { useDesk, useMay } from '../../parts/desk-context.ts'
import { useLanguage } from '../../parts/language.ts'
import { Link } from '../../parts/link.tsx'
import { Loaded } from '../../parts/loaded.tsx'
import { useEndpoint } from '../../parts/use-endpoint.ts'
import { AppointmentSection } from './appointment-section.tsx'
import { ConsentSection } from './consent-section.tsx'
import { InterviewMarks } from './interview-marks.tsx'
import type { Session } from './interview-types.ts'
import { InterviewersSection } from './interviewers-section.tsx'
import { InvitationSection } from './invitation-section.tsx'
import { JoinSection } from './join-section.tsx'
import { MeetingSection } from './meeting-section.tsx'
import { RecordedSection } from './recorded-section.tsx'

const SessionFacts = ({ session }: { readonly session: Session }) => {
  const { t } = useLanguage()
  const locale = useLocale()
  const { id, externalId, state, consent, createdAt, startedAt, endedAt } = session
  return (
    <Facts>
      <Fact name={t('columnState')}>{t(`state.${state}`)}</Fact>
      {externalId === null ? null : <Fact name={t('columnReference')}>{externalId}</Fact>}
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

const Plan = ({ session }: { readonly session: Session }) => {
  const { org } = useDesk()
  const scheduling = useEndpoint('portal.scheduling.get', { params: { orgId: org.id, id: session.id } })
  return (
    <Loaded question={scheduling}>
      {(found) => (
        <>
          <AppointmentSection session={session} scheduling={found} />
          <InvitationSection session={session} scheduling={found} />
        </>
      )}
    </Loaded>
  )
}

const Ways = ({ session: { id, state, startedAt } }: { readonly session: Session }) => {
  const { t } = useLanguage()
  const { org } = useDesk()
  const mayReview = useMay('report.view')
  return (
    <>
      {state === 'live' ? (
        <p>
          <Link to={{ room: 'live', org: org.slug, query: { session: id } }}>{t('interviewOpenLive')}</Link>
        </p>
      ) : null}
      {mayReview && startedAt !== null ? (
        <p>
          <Link to={{ room: 'review', org: org.slug, id }}>{t('openReview')}</Link>
        </p>
      ) : null}
    </>
  )
}

/** One interview: how it stands, and what is done about it. Its title names nobody, as a window's title is seen by others. */
export const InterviewPage = ({ id }: { readonly id: string }) => {
  const { t } = useLanguage()
  const { org } = useDesk()
  const manages = useMay('session.manage')
  const session = useEndpoint('sessions.detail', { params: { id } })
  return (
    <Page title={t('interviewTitle')} wide>
      <Loaded question={session}>
        {(found) => (
          <>
            <p className="lead">
              <bdi>{found.candidateLabel ?? t('unnamed')}</bdi>
            </p>
            <InterviewMarks session={found} />
            <SessionFacts session={found} />
            <Ways session={found} />
            <Plan session={found} />
            <InterviewersSection session={found} />
            {manages && found.state !== 'ended' && found.erasedAt === null ? <JoinSection id={id} /> : null}
            <MeetingSection session={found} />
            <RecordedSection session={found} />
            {found.state !== 'ended' && found.erasedAt === null ? <ConsentSection id={id} /> : null}
          </>
        )}
      </Loaded>
      <p>
        <Link to={{ room: 'interviews', org: org.slug, query: {} }}>{t('backToInterviews')}</Link>
      </p>
    </Page>
  )
}
