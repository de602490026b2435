import type { Brand } from '@integrity/protocol/clients/brand'
import { dayAndTime } from '@integrity/shared-ui/session/appointment-times'
import { Page } from '@integrity/shared-ui/web/shell'
import { useLocale } from '@integrity/shared-ui/web/spoken'
import { Welcome } from '@integrity/shared-ui/web/welcome'
import { usePageBrand } from '../../components/brand.ts'
import { type Appointment, type InvitationFacts, isCancelled, isOpen } from '../../session/invitation-api.ts'
import type { InvitationText } from '../../texts/invitation.ts'
import { AidsSection } from './aids-section.tsx'
import { ApplicationSection } from './application-section.tsx'
import { AppointmentSection, useTimes } from './appointment-section.tsx'
import { AskedSection } from './asked-section.tsx'
import { CalendarButton } from './calendar-button.tsx'
import { DataSection } from './data-section.tsx'
import { DeclineSection } from './decline-section.tsx'
import type { InvitedProps } from './invited-props.ts'
import { useLanguage } from './language.ts'
import { OpenSection } from './open-section.tsx'
import { StepsSection } from './steps-section.tsx'
import { type Readiness, useReadiness } from './use-readiness.ts'
import { WriteSection } from './write-section.tsx'

const titleOf = (facts: InvitationFacts): InvitationText => {
  if (facts.session.state === 'ended') return facts.session.startedAt ? 'endedTitle' : 'closedTitle'
  return isCancelled(facts) ? 'cancelledTitle' : 'title'
}

const CancelledTime = ({ appointment }: { readonly appointment: Appointment }) => {
  const { t } = useLanguage()
  return <p>{t('cancelledWas', { ...useTimes(appointment).own })}</p>
}

const Greeting = ({ invitation: handle, facts, brand }: InvitedProps & { readonly brand: Brand | undefined }) => {
  const { t } = useLanguage()
  const locale = useLocale()
  const { org, invitation, session, cancelledAt, cancelledAppointment } = facts
  if (session.state === 'ended') return <p>{t(session.startedAt ? 'endedText' : 'closedText')}</p>
  if (isCancelled(facts))
    return (
      <>
        {cancelledAppointment ? <CancelledTime appointment={cancelledAppointment} /> : null}
        <p>{t('cancelledText', { org: org.name, at: dayAndTime(cancelledAt ?? '', locale) })}</p>
        <CalendarButton invitation={handle} label="calendarCancelled" />
      </>
    )
  const { name, invitedBy: person } = invitation
  return (
    <>
      {name ? <p>{t('hello', { name })}</p> : null}
      <p>{person ? t('invitesBy', { person, org: org.name }) : t('invites', { org: org.name })}</p>
      <Welcome brand={brand} />
    </>
  )
}

/** What is decided, in its order: when, what to install, when to open it, and what will be asked for, to be read in their own time. */
const Preparation = ({ readiness, ...props }: InvitedProps & { readonly readiness: Readiness }) => (
  <>
    <AppointmentSection {...props} />
    <ApplicationSection facts={props.facts} />
    <OpenSection {...props} readiness={readiness} />
    <AidsSection {...props} />
    <AskedSection facts={props.facts} />
  </>
)

/** A link that works: everything about the interview, from the appointment to declining it. */
export const InvitedPage = ({ invitation, facts }: InvitedProps) => {
  const { t } = useLanguage()
  const locale = useLocale()
  const readiness = useReadiness(invitation, facts.session.state)
  const title = titleOf(facts)
  const open = isOpen(facts)
  const brand = usePageBrand(facts.org)
  const props = { invitation, facts }
  return (
    // A new key for a new title, so that it is read out.
    <Page key={title} title={t(title)}>
      <Greeting {...props} brand={brand} />
      {open ? <Preparation {...props} readiness={readiness} /> : null}
      {isCancelled(facts) ? null : <StepsSection steps={readiness.steps} />}
      <WriteSection {...props} />
      <DataSection {...props} />
      {facts.session.state === 'scheduled' ? <DeclineSection {...props} /> : null}
      {open ? (
        <p className="small">{t('personal', { until: dayAndTime(facts.invitation.expiresAt, locale) })}</p>
      ) : null}
    </Page>
  )
}
