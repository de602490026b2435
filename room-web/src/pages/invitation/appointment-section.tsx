import { appointmentTimes, dayAndTime, minutesWords } from '@integrity/shared-ui/session/appointment-times'
import { Section } from '@integrity/shared-ui/web/section'
import { useLocale } from '@integrity/shared-ui/web/spoken'
import type { Appointment } from '../../session/invitation-api.ts'
import { CalendarButton } from './calendar-button.tsx'
import type { InvitedProps } from './invited-props.ts'
import { useLanguage } from './language.ts'

/** The reader's own clocks first; those of the organisation where they show something else. */
export const useTimes = (appointment: Appointment) =>
  appointmentTimes(appointment, useLocale(), Intl.DateTimeFormat().resolvedOptions().timeZone)

const Times = ({ appointment }: { readonly appointment: Appointment }) => {
  const { t } = useLanguage()
  const locale = useLocale()
  const { own, theirs } = useTimes(appointment)
  return (
    <>
      <p>
        <strong>{t('whenText', { ...own })}</strong>
        <br />
        {t('whenLong', { duration: minutesWords(appointment.durationMinutes, locale) })}
      </p>
      {theirs ? <p>{t('whenTheirs', { ...theirs })}</p> : null}
    </>
  )
}

/** When the interview is and for how long, and a file for the calendar. */
export const AppointmentSection = ({ invitation, facts: { appointment, appointmentChangedAt } }: InvitedProps) => {
  const { t } = useLanguage()
  const locale = useLocale()
  return (
    <Section title={t('whenTitle')} card>
      {appointment ? (
        <>
          <Times appointment={appointment} />
          {appointmentChangedAt ? (
            <p className="small">{t('whenNew', { at: dayAndTime(appointmentChangedAt, locale) })}</p>
          ) : null}
          <CalendarButton invitation={invitation} label="calendar" />
        </>
      ) : (
        <p>{t('whenOpen')}</p>
      )}
    </Section>
  )
}
