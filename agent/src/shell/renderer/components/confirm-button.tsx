import { type ReactNode, useId, useRef } from 'react'
import { useLanguage } from './language.tsx'

interface Props {
  readonly label: string
  /** Where the label alone does not say what of. */
  readonly longLabel?: string
  readonly className?: string
  readonly title: string
  readonly children: ReactNode
  readonly confirm: string
  readonly cancel?: string
  readonly busy?: boolean
  /** May refuse to ask. */
  readonly before?: () => boolean
  readonly onConfirm: () => void
}

/** A button with a question behind it. Focus goes to the question, so that pressing twice answers nothing. */
export const ConfirmButton = (props: Props) => {
  const { t } = useLanguage()
  const { label, longLabel, className, title, children, confirm, cancel = t('cancel'), busy = false } = props
  const dialog = useRef<HTMLDialogElement>(null)
  const heading = useRef<HTMLHeadingElement>(null)
  const id = useId()
  const ask = () => {
    if (busy || props.before?.() === false) return
    dialog.current?.showModal()
    heading.current?.focus()
  }
  const answer = () => {
    dialog.current?.close()
    props.onConfirm()
  }
  return (
    <>
      <button type="button" className={className} aria-label={longLabel} aria-disabled={busy} onClick={ask}>
        {label}
      </button>
      <dialog ref={dialog} aria-labelledby={`${id}title`} aria-describedby={`${id}text`}>
        <h2 ref={heading} id={`${id}title`} tabIndex={-1}>
          {title}
        </h2>
        <div id={`${id}text`}>{children}</div>
        <div className="actions">
          <button type="button" onClick={answer}>
            {confirm}
          </button>
          <button type="button" onClick={() => dialog.current?.close()}>
            {cancel}
          </button>
        </div>
      </dialog>
    </>
  )
}
