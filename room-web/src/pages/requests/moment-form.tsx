import type { DraftInHand } from '@integrity/shared-ui/hooks/use-draft'
import { useSending } from '@integrity/shared-ui/hooks/use-sending'
import { Actions, Button } from '@integrity/shared-ui/web/button'
import { focusField, WordsField } from '@integrity/shared-ui/web/fields'
import { SendProblemNotice } from '@integrity/shared-ui/web/send-problem'
import { Notice } from '@integrity/shared-ui/web/shell'
import { type FormEvent, useEffect, useRef, useState } from 'react'
import { mostCharacters } from '../../session/requests-api.ts'
import type { KeptProps } from './kept-props.ts'
import { useLanguage } from './language.ts'
import type { SubmitResult } from './wish-form.tsx'

/** What somebody writes about a moment and has not sent. */
export type MomentWords = Readonly<Record<'text', string>>

interface Props extends KeptProps {
  readonly momentId: string
  readonly draft: DraftInHand<MomentWords>
  /** How often words were asked for: the cursor goes into the field each time. None where it was open from the beginning. */
  readonly asks: number
  readonly onResult: (result: SubmitResult) => Promise<void>
}

/** The field for words about one moment. What is typed stays until it has arrived. */
export const MomentForm = ({ requests, visit, facts, momentId, draft, asks, onResult }: Props) => {
  const { t } = useLanguage()
  const { busy, problem, send } = useSending({ endedBy: (error) => visit.endedBy(error) })
  const [missing, setMissing] = useState(false)
  const form = useRef<HTMLFormElement>(null)
  useEffect(() => {
    if (asks > 0 && form.current) focusField(form.current, 'text')
  }, [asks])
  const submit = (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault()
    const text = draft.words.text.trim()
    setMissing(text === '')
    if (text === '') return focusField(event.currentTarget, 'text')
    send(async () => {
      const body = { kind: 'context_statement', moment: momentId, text } as const
      const { isNew } = await requests.call.ask('candidateRequests.submit', body, draft.once())
      if (isNew) draft.clear()
      await onResult(isNew ? 'sent' : 'notNew')
    })
  }
  const gone = problem?.fields.includes('moment')
  return (
    <form ref={form} noValidate onSubmit={submit}>
      <WordsField
        name="text"
        label={t('momentsWords')}
        value={draft.words.text}
        maxLength={mostCharacters}
        error={missing ? t('wordsMissing') : undefined}
        onChange={(text) => draft.change({ text })}
      />
      {gone ? (
        <div role="alert">
          <Notice kind="attention">{t('momentsGone')}</Notice>
        </div>
      ) : (
        <SendProblemNotice problem={problem} conflict={t('momentsTooMany', { org: facts.org.name })} />
      )}
      <Actions>
        <Button type="submit" busy={busy}>
          {t(busy ? 'sending' : 'momentsSend')}
        </Button>
      </Actions>
    </form>
  )
}
