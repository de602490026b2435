import { appointmentTimes, dayAndTime } from '@integrity/shared-ui/session/appointment-times'
import { Actions, Button } from '@integrity/shared-ui/web/button'
import { ConfirmButton } from '@integrity/shared-ui/web/confirm-button'
import { Section } from '@integrity/shared-ui/web/section'
import { SendProblemNotice } from '@integrity/shared-ui/web/send-problem'
import { useLocale } from '@integrity/shared-ui/web/spoken'
import { useId, useState } from 'react'
import { useDesk, useMay } from '../../parts/desk-context.ts'
import { useLanguage } from '../../parts/language.ts'
import { useWrite } from '../../parts/use-write.ts'
import { changedByPlan, type Scheduling, type Session } from './interview-types.ts'
import { MoveForm } from './move-form.tsx'

type Schedule = NonNullable<Scheduling['appointment']>

/** By the clocks of the reader, and by those of the candidate where they differ. */
const Appointment = ({ schedule }: { readonly schedule: Schedule }) => {
  const locale = useLocale()
  const { own, theirs } = appointmentTimes(schedule, locale, Intl.DateTimeFormat().resolvedOptions().timeZone)
  return (
    <p>
      {own.when} ({own.zone}){theirs ? <> · {`${theirs.when} (${theirs.zone})`}</> : null}
    </p>
  )
}

interface Props {
  readonly session: Session
  readonly scheduling: Scheduling
}

const Changes = ({ session: { id }, scheduling: { appointment } }: Props) => {
  const { t } = useLanguage()
  const { own, org, fileAddress } = useDesk()
  const [open, setOpen] = useState(false)
  const [moved, setMoved] = useState(false)
  const form = useId()
  const { busy, problem, write } = useWrite(...changedByPlan)
  const cancel = () => {
    setMoved(false)
    write(() => own.call('portal.scheduling.cancel', { params: { orgId: org.id, id }, body: {} }))
  }
  const done = () => {
    setOpen(false)
    setMoved(true)
  }
  return (
    <>
      <p role="status">{moved ? t('interviewMoved') : null}</p>
      <SendProblemNotice problem={problem} conflict={t('interviewConflict')} />
      {appointment ? (
        <p>
          <a href={fileAddress('portal.scheduling.calendar', { params: { orgId: org.id, id } })} download>
            {t('interviewCalendar')}
          </a>
        </p>
      ) : null}
      <Actions>
        <Button aria-expanded={open} aria-controls={form} onClick={() => setOpen(!open)}>
          {t(appointment ? 'interviewMove' : 'interviewSetTime')}
        </Button>
        {appointment ? (
          <ConfirmButton
            label={t('interviewCancel')}
            title={t('interviewCancelTitle')}
            confirm={t('interviewCancelYes')}
            confirmKind="stop"
            cancel={t('interviewGoBack')}
            busy={busy}
            onConfirm={cancel}
          >
            <p>{t('interviewCancelText')}</p>
          </ConfirmButton>
        ) : null}
      </Actions>
      <div id={form}>{open ? <MoveForm id={id} appointment={appointment} onDone={done} /> : null}</div>
    </>
  )
}

/** When the interview takes place, and where that is changed. */
export const AppointmentSection = ({ session, scheduling }: Props) => {
  const { t } = useLanguage()
  const locale = useLocale()
  const manages = useMay('session.manage')
  const { appointment, cancelledAt } = scheduling
  const mayChange = manages && session.state === 'scheduled' && session.erasedAt === null
  if (appointment === null && cancelledAt === null && !mayChange) return null
  return (
    <Section title={t('interviewAppointment')}>
      {appointment ? <Appointment schedule={appointment} /> : null}
      {appointment === null ? (
        <p>
          {cancelledAt === null
            ? t('interviewNoAppointment')
            : t('interviewCancelled', { at: dayAndTime(cancelledAt, locale) })}
        </p>
      ) : null}
      {mayChange ? <Changes session={session} scheduling={scheduling} /> : null}
    </Section>
  )
}
