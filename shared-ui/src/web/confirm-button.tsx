import type { ReactNode } from 'react'
import { Actions, Button } from './button.tsx'
import { type FirstFocus, QuestionDialog, useQuestion } from './question.tsx'

type Kind = 'main' | 'stop'

interface Props {
  readonly label: string
  /** Where the label alone does not say what of. */
  readonly longLabel?: string
  readonly kind?: Kind
  readonly title: string
  /** What the answer means. */
  readonly children: ReactNode
  readonly confirm: string
  readonly confirmKind?: Kind
  readonly cancel: string
  readonly busy?: boolean
  readonly first?: FirstFocus
  /** May refuse to ask. */
  readonly before?: () => boolean
  readonly onConfirm: () => void
}

/** A button with a question behind it. */
export const ConfirmButton = (props: Props) => {
  const { label, longLabel, kind, title, children, confirm, confirmKind, cancel, busy, first } = props
  const question = useQuestion(first)
  const ask = () => {
    if (!busy && props.before?.() !== false) question.ask()
  }
  const answer = () => {
    question.close()
    props.onConfirm()
  }
  return (
    <>
      <Button kind={kind} aria-label={longLabel} busy={busy} onClick={ask}>
        {label}
      </Button>
      <QuestionDialog question={question} title={title} text={children}>
        <Actions>
          <Button kind={confirmKind} onClick={answer}>
            {confirm}
          </Button>
          <Button onClick={question.close}>{cancel}</Button>
        </Actions>
      </QuestionDialog>
    </>
  )
}
