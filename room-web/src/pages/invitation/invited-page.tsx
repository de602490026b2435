import type { Brand } from '@integrity/protocol/clients/brand'
import type { OpenInvitation } from '../../browser/open-invitation.ts'
import { usePageBrand } from '../../components/brand.ts'
import { ContactLine } from '../../components/contact-line.tsx'
import { useLocale } from '../../components/link-language.ts'
import { dayAndTime } from '../../session/appointment-times.ts'
import { type InvitationFacts, isCancelled, isOpen } from '../../session/invitation-api.ts'
import type { InvitationText } from '../../texts/invitation.ts'
import { Page } from '../../ui/shell.tsx'
import { Welcome } from '../../ui/welcome.tsx'
import { ApplicationSection } from './application-section.tsx'
import { AppointmentSection } from './appointment-section.tsx'
import { AskedSection } from './asked-section.tsx'
import { CalendarButton } from './calendar-button.tsx'
import { DataSection } from './data-section.tsx'
import { DeclineSection } from './decline-section.tsx'
import { useLanguage } from './language.ts'
import { OpenSection } from './open-section.tsx'
import { StepsSection } from './steps-section.tsx'
import { useReadiness } from './use-readiness.ts'
import { WriteSection } from './write-section.tsx'

export interface InvitedProps {
  readonly invitation: OpenInvitation
  readonly facts: InvitationFacts
}

const titleOf = (facts: InvitationFacts): InvitationText => {
  if (facts.session.state === 'ended') return 'endedTitle'
  return isCancelled(facts) ? 'cancelledTitle' : 'title'
}

const Greeting = ({ invitation: handle, facts, brand }: InvitedProps & { readonly brand: Brand | undefined }) => {
  const { t } = useLanguage()
  const locale = useLocale()
  const { org, invitation, session, cancelledAt } = facts
  if (session.state === 'ended') return <p>{t('endedText')}</p>
  if (isCancelled(facts))
    return (
      <>
        <p>{t('cancelledText', { org: org.name, at: dayAndTime(cancelledAt ?? '', locale) })}</p>
        <CalendarButton invitation={handle} label="calendarCancelled" />
      </>
    )
  return (
    <>
      {invitation.name ? <p>{t('hello', { name: invitation.name })}</p> : null}
      <p>{t('invites', { org: org.name })}</p>
      <Welcome brand={brand} />
      <p className="small">{t('personal', { until: dayAndTime(invitation.expiresAt, locale) })}</p>
    </>
  )
}

/** A link that works: everything about the interview, from the appointment to declining it. */
export const InvitedPage = ({ invitation, facts }: InvitedProps) => {
  const { t } = useLanguage()
  const readiness = useReadiness(invitation, facts.session.state)
  const title = titleOf(facts)
  const open = isOpen(facts)
  const brand = usePageBrand(facts.org)
  const props = { invitation, facts }
  return (
    // A new key for a new title, so that it is read out.
    <Page key={title} title={t(title)}>
      <Greeting {...props} brand={brand} />
      {open ? (
        <>
          <AppointmentSection {...props} />
          <AskedSection facts={facts} />
          <ApplicationSection facts={facts} />
          <OpenSection {...props} readiness={readiness} />
        </>
      ) : null}
      {isCancelled(facts) ? null : <StepsSection steps={readiness.steps} />}
      <WriteSection {...props} />
      <DataSection {...props} />
      {brand ? <ContactLine brand={brand} /> : null}
      {facts.session.state === 'scheduled' ? <DeclineSection {...props} /> : null}
    </Page>
  )
}
