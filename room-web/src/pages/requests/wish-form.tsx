import { type DraftInHand, useDraft } from '@integrity/shared-ui/hooks/use-draft'
import { useSending } from '@integrity/shared-ui/hooks/use-sending'
import { looksLikeEmail } from '@integrity/shared-ui/session/send-problem'
import { Actions, Button } from '@integrity/shared-ui/web/button'
import { EmailField, focusField, WordsField } from '@integrity/shared-ui/web/fields'
import { SendProblemNotice } from '@integrity/shared-ui/web/send-problem'
import { Notice } from '@integrity/shared-ui/web/shell'
import { type FormEvent, useState } from 'react'
import { copyDays, mostCharacters, type WishKind } from '../../session/requests-api.ts'
import type { KeptProps } from './kept-props.ts'
import { useLanguage } from './language.ts'

/** Whether it was sent, or one of its kind was open already. */
export type SubmitResult = 'sent' | 'notNew'

interface WishProps extends KeptProps {
  readonly kind: WishKind
  /** One of its kind waits for its end, so that nothing new can be sent. */
  readonly open: boolean
  readonly result: SubmitResult | undefined
  readonly onResult: (result: SubmitResult) => void
}

type Wish = Readonly<Record<'text' | 'replyTo', string>>

const WishFields = ({ kind, draft, wrong }: { kind: WishKind; draft: DraftInHand<Wish>; wrong?: keyof Wish }) => {
  const { t } = useLanguage()
  return (
    <>
      <WordsField
        name="text"
        label={t(`${kind}.words`)}
        optional={kind !== 'context_statement'}
        value={draft.words.text}
        maxLength={mostCharacters}
        error={wrong === 'text' ? t('wordsMissing') : undefined}
        onChange={(text) => draft.change({ text })}
      />
      <EmailField
        name="replyTo"
        label={t('replyTo')}
        optional
        help={t('replyToHelp')}
        value={draft.words.replyTo}
        error={wrong === 'replyTo' ? t('replyToWrong') : undefined}
        onChange={(replyTo) => draft.change({ replyTo })}
      />
    </>
  )
}

const faultIn = (kind: WishKind, { text, replyTo }: Wish): keyof Wish | undefined => {
  if (kind === 'context_statement' && text.trim() === '') return 'text'
  return replyTo.trim() !== '' && !looksLikeEmail(replyTo) ? 'replyTo' : undefined
}

const SubmitForm = ({ requests, visit, facts, kind, draft, onResult }: WishProps & { draft: DraftInHand<Wish> }) => {
  const { t } = useLanguage()
  const { busy, problem, send } = useSending({ endedBy: (error) => visit.endedBy(error) })
  const [fault, setFault] = useState<keyof Wish>()
  const submit = (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault()
    const found = faultIn(kind, draft.words)
    setFault(found)
    if (found) return focusField(event.currentTarget, found)
    const [text, replyTo] = [draft.words.text.trim(), draft.words.replyTo.trim()]
    send(async () => {
      const body = { kind, ...(text ? { text } : {}), ...(replyTo ? { replyTo } : {}) }
      const { isNew } = await requests.call.ask('candidateRequests.submit', body, draft.once())
      if (isNew) draft.clear()
      onResult(isNew ? 'sent' : 'notNew')
      await visit.refresh()
    })
  }
  const wrong = fault ?? (problem?.fields.includes('replyTo') ? 'replyTo' : undefined)
  return (
    <form noValidate onSubmit={submit}>
      <WishFields kind={kind} draft={draft} {...(wrong ? { wrong } : {})} />
      <SendProblemNotice problem={problem} conflict={t('tooManyRequests', { org: facts.org.name })} />
      <Actions>
        <Button type="submit" busy={busy}>
          {t(busy ? 'sending' : `${kind}.send`)}
        </Button>
      </Actions>
    </form>
  )
}

/** One thing that may be asked for: what happens next and who decides, and the form. */
export const WishForm = (props: WishProps) => {
  const { t } = useLanguage()
  const { kind, facts, open, result } = props
  const draft = useDraft<Wish>(`${kind} ${facts.session.id}`, { text: '', replyTo: '' })
  const [unfolded] = useState(!draft.isEmpty)
  const { org, session } = facts
  return (
    <details className="wish" open={unfolded}>
      <summary>{t(`${kind}.title`)}</summary>
      <p>{t(`${kind}.next`, { org: org.name, copyDays })}</p>
      {kind === 'erasure' && session.state === 'live' ? <p>{t('erasureLive')}</p> : null}
      <div role="status">{result ? <Notice>{t(result)}</Notice> : null}</div>
      {open ? (
        <>
          {result ? null : <p>{t('oneOpen')}</p>}
          {draft.words.text === '' ? null : (
            <>
              <p>{t('oneOpenWords')}</p>
              <blockquote className="written">{draft.words.text}</blockquote>
            </>
          )}
        </>
      ) : (
        <SubmitForm {...props} draft={draft} />
      )}
    </details>
  )
}
