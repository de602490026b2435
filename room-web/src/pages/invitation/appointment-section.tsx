import { useLocale } from '../../components/link-language.ts'
import { appointmentTimes } from '../../session/appointment-times.ts'
import type { Appointment } from '../../session/invitation-api.ts'
import { Section } from '../../ui/section.tsx'
import { CalendarButton } from './calendar-button.tsx'
import type { InvitedProps } from './invited-page.tsx'
import { useLanguage } from './language.ts'

const Times = ({ appointment }: { readonly appointment: Appointment }) => {
  const { t } = useLanguage()
  const ownZone = Intl.DateTimeFormat().resolvedOptions().timeZone
  const { own, theirs } = appointmentTimes(appointment, useLocale(), ownZone)
  return (
    <>
      <p>
        <strong>{t('whenText', { ...own })}</strong>
      </p>
      {theirs ? <p>{t('whenTheirs', { ...theirs })}</p> : null}
    </>
  )
}

/** When the interview is, and a file for the calendar. */
export const AppointmentSection = ({ invitation, facts: { appointment } }: InvitedProps) => {
  const { t } = useLanguage()
  return (
    <Section title={t('whenTitle')} card>
      {appointment ? (
        <>
          <Times appointment={appointment} />
          <CalendarButton invitation={invitation} label="calendar" />
        </>
      ) : (
        <p>{t('whenOpen')}</p>
      )}
    </Section>
  )
}
