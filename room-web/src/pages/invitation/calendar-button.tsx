import { saveFile } from '@integrity/shared-ui/browser/save-file'
import { useSending } from '@integrity/shared-ui/hooks/use-sending'
import { Actions, Button } from '@integrity/shared-ui/web/button'
import { SendProblemNotice } from '@integrity/shared-ui/web/send-problem'
import { useState } from 'react'
import type { OpenInvitation } from '../../browser/open-invitation.ts'
import { useLanguage } from './language.ts'

interface Props {
  readonly invitation: OpenInvitation
  readonly label: 'calendar' | 'calendarCancelled'
}

/** The appointment, or its cancellation, as a file for the calendar. */
export const CalendarButton = ({ invitation: { call, visit }, label }: Props) => {
  const { t } = useLanguage()
  const { busy, problem, send } = useSending({
    endedBy: (error) => visit.endedBy(error),
    onConflict: () => void visit.refresh(),
  })
  const [saved, setSaved] = useState(false)
  const save = async () => {
    setSaved(false)
    saveFile(await call.file('invitations.calendar', {}, 'text/calendar'))
    setSaved(true)
  }
  return (
    <>
      <Actions>
        <Button busy={busy} onClick={() => send(save)}>
          {t(label)}
        </Button>
      </Actions>
      <div role="status">{saved ? <p>{t('calendarSaved')}</p> : null}</div>
      <SendProblemNotice problem={problem} conflict={t('calendarNone')} />
    </>
  )
}
