import { useSending } from '@integrity/shared-ui/hooks/use-sending'
import { looksLikeEmail } from '@integrity/shared-ui/session/send-problem'
import { Actions, Button } from '@integrity/shared-ui/web/button'
import { EmailField, focusField } from '@integrity/shared-ui/web/fields'
import { SendProblemNotice } from '@integrity/shared-ui/web/send-problem'
import { Page } from '@integrity/shared-ui/web/shell'
import { type FormEvent, useState } from 'react'
import type { PasswordCall } from '../../session/password-api.ts'
import { useLanguage } from './language.ts'

interface Props {
  readonly call: PasswordCall
}

const AskForm = ({ call, onSent }: Props & { readonly onSent: () => void }) => {
  const { t, language } = useLanguage()
  const [email, setEmail] = useState('')
  const [wrong, setWrong] = useState(false)
  const { busy, problem, send } = useSending({ endedBy: () => false })
  const submit = (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault()
    setWrong(!looksLikeEmail(email))
    if (!looksLikeEmail(email)) return focusField(event.currentTarget, 'email')
    send(async () => {
      await call.ask('auth.password.forgot', { email: email.trim(), locale: language.code })
      onSent()
    })
  }
  const refused = wrong || problem?.fields.includes('email')
  return (
    <form noValidate onSubmit={submit}>
      <EmailField
        name="email"
        value={email}
        onChange={setEmail}
        label={t('email')}
        error={refused ? t('emailWrong') : undefined}
      />
      <SendProblemNotice problem={problem} />
      <Actions>
        <Button type="submit" kind="main" busy={busy}>
          {t(busy ? 'sending' : 'ask')}
        </Button>
      </Actions>
    </form>
  )
}

/** The form, and one answer for every address, so that it reveals no account. */
export const AskPage = ({ call }: Props) => {
  const { t } = useLanguage()
  const [sent, setSent] = useState(false)
  if (sent)
    return (
      <Page key="sent" title={t('askedTitle')} sign="done">
        <p>{t('asked')}</p>
        <p>{t('askedSso')}</p>
        <Actions>
          <Button onClick={() => setSent(false)}>{t('askAgain')}</Button>
        </Actions>
      </Page>
    )
  return (
    <Page key="ask" title={t('askTitle')}>
      <p>{t('askText')}</p>
      <AskForm call={call} onSent={() => setSent(true)} />
    </Page>
  )
}
