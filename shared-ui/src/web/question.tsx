import { type ReactNode, type RefObject, useId, useMemo, useRef } from 'react'

/** Where the keyboard is when a question comes: at its words, where pressing twice answers nothing, or at the first button. */
export type FirstFocus = 'words' | 'button'

interface Question {
  readonly first: FirstFocus
  readonly dialog: RefObject<HTMLDialogElement | null>
  readonly heading: RefObject<HTMLHeadingElement | null>
  readonly ask: () => void
  readonly close: () => void
}

/** A question that can be asked; it is drawn by a `QuestionDialog`. */
export const useQuestion = (first: FirstFocus = 'words'): Question => {
  const dialog = useRef<HTMLDialogElement>(null)
  const heading = useRef<HTMLHeadingElement>(null)
  return useMemo(
    () => ({
      first,
      dialog,
      heading,
      ask: () => {
        dialog.current?.showModal()
        if (first === 'words') heading.current?.focus()
      },
      close: () => dialog.current?.close(),
    }),
    [first],
  )
}

interface Props {
  readonly question: Question
  readonly title: string
  /** What the answer means; read out with the title. */
  readonly text: ReactNode
  /** Everything below it, the buttons among it. */
  readonly children: ReactNode
}

export const QuestionDialog = ({ question: { first, dialog, heading }, title, text, children }: Props) => {
  const id = useId()
  return (
    <dialog ref={dialog} aria-labelledby={`${id}title`} aria-describedby={`${id}text`}>
      <h2 ref={heading} id={`${id}title`} tabIndex={first === 'words' ? -1 : undefined}>
        {title}
      </h2>
      <div id={`${id}text`}>{text}</div>
      {children}
    </dialog>
  )
}
