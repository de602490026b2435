import { useDraft } from '@integrity/shared-ui/hooks/use-draft'
import { useSending } from '@integrity/shared-ui/hooks/use-sending'
import { looksLikeEmail } from '@integrity/shared-ui/session/send-problem'
import { Actions, Button } from '@integrity/shared-ui/web/button'
import { EmailField, ExactField, focusField } from '@integrity/shared-ui/web/fields'
import { SendProblemNotice } from '@integrity/shared-ui/web/send-problem'
import { type FormEvent, useLayoutEffect, useRef, useState } from 'react'
import type { OpenRequests } from '../../browser/open-requests.ts'
import { sessionIdIn } from '../../session/session-id.ts'
import { useLanguage } from './language.ts'

/** The same for everybody: whether the address was invited is told to that address alone. */
const Thanks = ({ onAgain }: { readonly onAgain: () => void }) => {
  const { t } = useLanguage()
  const heading = useRef<HTMLHeadingElement>(null)
  useLayoutEffect(() => heading.current?.focus(), [])
  return (
    <>
      <h2 ref={heading} tabIndex={-1}>
        {t('askSentTitle')}
      </h2>
      <p>{t('askSent')}</p>
      <p>{t('askSentNothing')}</p>
      <Actions>
        <Button onClick={onAgain}>{t('askAgain')}</Button>
      </Actions>
    </>
  )
}

interface FormProps {
  readonly requests: OpenRequests
  /** It was sent before: the cursor goes where something else can be entered. */
  readonly again: boolean
  readonly onSent: () => void
}

const LinkForm = ({ requests: { call, sessionId }, again, onSent }: FormProps) => {
  const { t } = useLanguage()
  const form = useRef<HTMLFormElement>(null)
  useLayoutEffect(() => {
    if (again && form.current) focusField(form.current, 'session')
  }, [again])
  const { words, change } = useDraft(`link ${sessionId ?? ''}`, { session: sessionId ?? '', email: '' })
  const { busy, problem, send } = useSending({ endedBy: () => false })
  const [wrong, setWrong] = useState<'session' | 'email'>()
  const submit = (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault()
    const session = sessionIdIn(words.session)
    const fault = session === undefined ? 'session' : looksLikeEmail(words.email) ? undefined : 'email'
    setWrong(fault)
    if (fault || session === undefined) return focusField(event.currentTarget, fault ?? 'session')
    send(async () => {
      await call.ask('candidateRequests.links.mail', { sessionId: session, email: words.email.trim() })
      onSent()
    })
  }
  return (
    <form ref={form} noValidate onSubmit={submit}>
      <ExactField
        name="session"
        label={t('askSession')}
        help={t('askSessionHelp')}
        value={words.session}
        maxLength={500}
        error={wrong === 'session' ? t('askSessionWrong') : undefined}
        onChange={(session) => change({ session })}
      />
      <EmailField
        name="email"
        label={t('askEmail')}
        help={t('askEmailHelp')}
        value={words.email}
        error={wrong === 'email' || problem?.fields.includes('email') ? t('askEmailWrong') : undefined}
        onChange={(email) => change({ email })}
      />
      <SendProblemNotice problem={problem} />
      <Actions>
        <Button type="submit" kind="main" busy={busy}>
          {t(busy ? 'sending' : 'askSend')}
        </Button>
      </Actions>
    </form>
  )
}

/** Has a link sent to the invited address. */
export const AskForLink = ({ requests }: { readonly requests: OpenRequests }) => {
  const { t } = useLanguage()
  const [sent, setSent] = useState<'not' | 'now' | 'before'>('not')
  return (
    <>
      {sent === 'now' ? (
        <Thanks onAgain={() => setSent('before')} />
      ) : (
        <LinkForm requests={requests} again={sent === 'before'} onSent={() => setSent('now')} />
      )}
      <p className="small">{t('askOther')}</p>
    </>
  )
}
