import { type DraftInHand, useDraft } from '@integrity/shared-ui/hooks/use-draft'
import { Actions, Button } from '@integrity/shared-ui/web/button'
import { focusField, WordsField } from '@integrity/shared-ui/web/fields'
import { SendProblemNotice } from '@integrity/shared-ui/web/send-problem'
import { type FormEvent, type ReactNode, useState } from 'react'
import { useDesk } from '../../parts/desk-context.ts'
import { useLanguage } from '../../parts/language.ts'
import type { Write } from '../../parts/use-write.ts'

interface Props {
  /** What it is about, for what is kept of it: a session, or a moment of one. */
  readonly about: string
  readonly label: string
  readonly help?: string
  readonly button: string
  /** More of the form, above its words. */
  readonly children?: ReactNode
  readonly writing: Write
  /** The same `once` for the same words, so that they arrive once. */
  readonly onWords: (text: string, once: string) => Promise<unknown>
}

type Words = DraftInHand<{ text: string }>

const useWords = (about: string): Words => {
  const { person } = useDesk()
  return useDraft(`remark ${person.user.id} ${about}`, { text: '' })
}

/** A few lines that are kept through a failure, a reload and a new sign-in, for the person who wrote them. */
export const RemarkForm = ({ about, label, help, button, children, writing, onWords }: Props) => {
  const { t } = useLanguage()
  const draft = useWords(about)
  const [missing, setMissing] = useState(false)
  const { busy, problem, write } = writing
  const submit = (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault()
    const text = draft.words.text.trim()
    setMissing(text === '')
    if (text === '') return focusField(event.currentTarget, 'text')
    write(async () => {
      await onWords(text, draft.once())
      draft.clear()
    })
  }
  return (
    <form noValidate onSubmit={submit}>
      {children}
      <WordsField
        name="text"
        {...{ label, help }}
        value={draft.words.text}
        onChange={(text) => draft.change({ text })}
        error={missing ? t('wordsMissing') : undefined}
        maxLength={5000}
      />
      <SendProblemNotice problem={problem} conflict={t('changedMeanwhile')} />
      <Actions>
        <Button type="submit" busy={busy}>
          {busy ? t('sending') : button}
        </Button>
      </Actions>
    </form>
  )
}
