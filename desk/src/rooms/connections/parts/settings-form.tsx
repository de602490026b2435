import { Actions, Button } from '@integrity/shared-ui/web/button'
import { ConfirmButton } from '@integrity/shared-ui/web/confirm-button'
import { type FormEvent, type ReactNode, useEffect, useRef } from 'react'
import { useLanguage } from '../../../parts/language.ts'
import { Outcome } from '../../../parts/outcome.tsx'
import type { Attempt } from '../../../parts/use-attempt.ts'

interface Props {
  readonly of: Attempt
  readonly submit: string
  /** Paths whose words stand at their fields. */
  readonly fields: readonly string[]
  /** Asked before, where it cannot be undone: the question, and what the answer means. */
  readonly ask?: { readonly title: string; readonly text: ReactNode } | undefined
  readonly done?: string
  /** What somebody else has saved since. */
  readonly theirs?: ReactNode
  readonly onSubmit: () => void
  /** Beside the button that submits. */
  readonly more?: ReactNode
  readonly children: ReactNode
}

/** Fields that are sent together. After a refusal the cursor is in the first field that the service's words are about. */
export const SettingsForm = ({ of, submit, fields, ask, done, theirs, onSubmit, more, children }: Props) => {
  const { t } = useLanguage()
  const form = useRef<HTMLFormElement>(null)
  const { refusal, busy } = of
  useEffect(() => {
    if (!refusal) return
    const wrong = form.current?.querySelector('[aria-invalid="true"]')
    if (wrong instanceof HTMLElement) wrong.focus()
  }, [refusal])
  const send = (event: FormEvent) => {
    event.preventDefault()
    if (!ask) onSubmit()
  }
  return (
    <form ref={form} noValidate onSubmit={send}>
      {children}
      {theirs}
      <Outcome of={of} fields={fields} {...(done === undefined ? {} : { done })} />
      <Actions>
        {ask ? (
          <ConfirmButton
            label={submit}
            kind="main"
            title={ask.title}
            confirm={submit}
            confirmKind="main"
            cancel={t('connectionsCancel')}
            busy={busy}
            onConfirm={onSubmit}
          >
            {ask.text}
          </ConfirmButton>
        ) : (
          <Button type="submit" kind="main" busy={busy}>
            {busy ? t('sending') : submit}
          </Button>
        )}
        {more}
      </Actions>
    </form>
  )
}
