import { IntegrityError } from '@integrity/client/errors'
import { useSending } from '@integrity/shared-ui/hooks/use-sending'
import { Actions, Button } from '@integrity/shared-ui/web/button'
import { focusField, PasswordField } from '@integrity/shared-ui/web/fields'
import { SendProblemNotice } from '@integrity/shared-ui/web/send-problem'
import { Page, MessagePage as SharedMessagePage } from '@integrity/shared-ui/web/shell'
import { type FormEvent, useState } from 'react'
import { passwordMinWithFactor } from '../../session/access-api.ts'
import type { PasswordCall } from '../../session/password-api.ts'
import type { PasswordText } from '../../texts/password.ts'
import { AskPage } from './ask-page.tsx'
import { useLanguage } from './language.ts'

const MessagePage = SharedMessagePage<PasswordText>

interface Props {
  readonly call: PasswordCall
  readonly token: string
}

const overs = ['used', 'replaced', 'expired'] as const
type Over = (typeof overs)[number] | 'wrong'
type Ending = Over | 'done'

/** What a refusal says of the link, or of the password. */
const meaningOf = (error: unknown): Over | 'password' | undefined => {
  if (!(error instanceof IntegrityError)) return undefined
  const { kind, extra, details } = error
  if (kind === 'conflict') return overs.find((reason) => reason === extra['reason'])
  if (kind === 'not_found') return 'wrong'
  return details.some(({ path }) => path === 'password') ? 'password' : undefined
}

const SetForm = ({ call, token, onEnd }: Props & { readonly onEnd: (ending: Ending) => void }) => {
  const { t } = useLanguage()
  const [password, setPassword] = useState('')
  const [refused, setRefused] = useState(false)
  const { busy, problem, send } = useSending({ endedBy: () => false })
  const refuse = (form: HTMLFormElement) => {
    setRefused(true)
    focusField(form, 'password')
  }
  const set = async (form: HTMLFormElement) => {
    try {
      await call.ask('auth.password.reset', { token, password })
      onEnd('done')
    } catch (error) {
      const meaning = meaningOf(error)
      if (meaning === undefined) throw error
      if (meaning === 'password') refuse(form)
      else onEnd(meaning)
    }
  }
  const submit = (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault()
    const form = event.currentTarget
    // Whose account it is, and so what is enough, the service alone knows.
    if (password.length < passwordMinWithFactor) return refuse(form)
    setRefused(false)
    send(() => set(form))
  }
  return (
    <form noValidate onSubmit={submit}>
      <PasswordField
        name="password"
        value={password}
        onChange={setPassword}
        label={t('password')}
        error={refused ? t('passwordWrong') : undefined}
        help={t('setHelp')}
        isNew
      />
      <SendProblemNotice problem={problem} />
      <Actions>
        <Button type="submit" kind="main" busy={busy}>
          {t(busy ? 'sending' : 'set')}
        </Button>
      </Actions>
    </form>
  )
}

/** A link that sets nothing any more: why, and how to get another. */
const OverPage = ({ call, why }: Pick<Props, 'call'> & { readonly why: Over }) => {
  const { t } = useLanguage()
  const [asking, setAsking] = useState(false)
  if (asking) return <AskPage call={call} />
  return (
    <MessagePage key={why} title={`${why}Title`} text={`${why}Text`}>
      <Actions>
        <Button kind="main" onClick={() => setAsking(true)}>
          {t('another')}
        </Button>
      </Actions>
    </MessagePage>
  )
}

/** What a link is for. Whether it still works is told when it is used: a look at it must not say whose it is. */
export const SetPage = ({ call, token }: Props) => {
  const { t } = useLanguage()
  const [ending, setEnding] = useState<Ending>()
  if (ending === 'done')
    return (
      <MessagePage key="done" title="doneTitle" text="doneText" sign="done">
        <p>
          <a href="../account/">{t('signIn')}</a>
        </p>
      </MessagePage>
    )
  if (ending) return <OverPage call={call} why={ending} />
  return (
    <Page key="set" title={t('setTitle')}>
      <p>{t('setText')}</p>
      <SetForm call={call} token={token} onEnd={setEnding} />
    </Page>
  )
}
