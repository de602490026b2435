import { ConfirmButton } from '@integrity/shared-ui/web/confirm-button'
import type { RoomText } from '../texts/room.ts'
import { useLanguage } from './language.ts'

const questions = {
  stop: { label: 'liveStop', title: 'stopTitle', text: 'stopText' },
  leave: { label: 'cameraLeave', title: 'leaveTitle', text: 'leaveText' },
} as const satisfies Record<string, Record<'label' | 'title' | 'text', RoomText>>

interface Props {
  readonly asks: keyof typeof questions
  readonly onConfirm: () => void
}

/** Leaving ends the link and cannot be taken back, so it is asked first. */
export const LeaveButton = ({ asks, onConfirm }: Props) => {
  const { t } = useLanguage()
  const { label, title, text } = questions[asks]
  return (
    <ConfirmButton
      label={t(label)}
      title={t(title)}
      confirm={t('stopConfirm')}
      confirmKind="stop"
      first="button"
      cancel={t('stopCancel')}
      onConfirm={onConfirm}
    >
      <p>{t(text)}</p>
    </ConfirmButton>
  )
}
