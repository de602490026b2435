import { useId, useRef } from 'react'
import type { RoomText } from '../texts/room.ts'
import { useLanguage } from './language.tsx'

const questions = {
  stop: { label: 'liveStop', title: 'stopTitle', text: 'stopText' },
  leave: { label: 'cameraLeave', title: 'leaveTitle', text: 'leaveText' },
} as const satisfies Record<string, Record<'label' | 'title' | 'text', RoomText>>

interface Props {
  readonly asks: keyof typeof questions
  readonly onConfirm: () => void
}

/** The button with the question behind it: leaving ends the link and cannot be taken back. */
export const LeaveButton = ({ asks, onConfirm }: Props) => {
  const { t } = useLanguage()
  const dialog = useRef<HTMLDialogElement>(null)
  const titleId = useId()
  const { label, title, text } = questions[asks]
  return (
    <>
      <button type="button" className={asks} onClick={() => dialog.current?.showModal()}>
        {t(label)}
      </button>
      <dialog ref={dialog} aria-labelledby={titleId}>
        <h2 id={titleId}>{t(title)}</h2>
        <p>{t(text)}</p>
        <div className="actions">
          <button type="button" className="stop" onClick={onConfirm}>
            {t('stopConfirm')}
          </button>
          <button type="button" onClick={() => dialog.current?.close()}>
            {t('stopCancel')}
          </button>
        </div>
      </dialog>
    </>
  )
}
