import { useSending } from '@integrity/shared-ui/hooks/use-sending'
import { Actions, Button } from '@integrity/shared-ui/web/button'
import { focusField, LineField, PasswordField } from '@integrity/shared-ui/web/fields'
import { AlertNotice } from '@integrity/shared-ui/web/read-out'
import { SendProblemNotice } from '@integrity/shared-ui/web/send-problem'
import { Page } from '@integrity/shared-ui/web/shell'
import { type FormEvent, useState } from 'react'
import type { SignIn } from '../../browser/open-account.ts'
import { isNotLetIn, isWrong, type SecondStep } from '../../data/account-api.ts'
import { useLanguage } from './language.ts'

interface Props {
  readonly open: SignIn
  readonly orgSlug: string
  readonly onStep: (step: SecondStep) => void
  readonly onBack: () => void
}

const useDirectory = ({ open: { caller, visit }, orgSlug, onStep }: Props) => {
  const [wrong, setWrong] = useState<'words' | 'person'>()
  const { busy, problem, send } = useSending({ endedBy: () => false })
  const signIn = (words: { readonly username: string; readonly password: string }, onWrong: () => void) => {
    setWrong(undefined)
    send(async () => {
      try {
        const { data } = await caller.call('sso.ldap', { body: { orgSlug, ...words } })
        if ('secondFactor' in data) onStep(data.secondFactor)
        else await visit.refresh()
      } catch (error) {
        if (isNotLetIn(error)) return setWrong('person')
        if (!isWrong(error)) throw error
        setWrong('words')
        onWrong()
      }
    })
  }
  return { wrong, busy, problem, signIn }
}

/** The name and the password of the organisation's directory. */
export const DirectoryPage = (props: Props) => {
  const { t } = useLanguage()
  const [words, setWords] = useState({ username: '', password: '' })
  const { wrong, busy, problem, signIn } = useDirectory(props)
  const submit = (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault()
    const form = event.currentTarget
    signIn(words, () => focusField(form, 'username'))
  }
  return (
    <Page key="directory" title={t('directoryTitle')}>
      <p>{t('directoryText')}</p>
      <form noValidate onSubmit={submit}>
        <LineField
          name="username"
          value={words.username}
          onChange={(username) => setWords({ ...words, username })}
          label={t('directoryName')}
          autoComplete="username"
          maxLength={320}
          error={wrong === 'words' ? t('directoryWrong') : undefined}
        />
        <PasswordField
          name="password"
          value={words.password}
          onChange={(password) => setWords({ ...words, password })}
          label={t('password')}
          isNew={false}
        />
        <AlertNotice>{wrong === 'person' ? t('directoryNotLetIn') : null}</AlertNotice>
        <SendProblemNotice problem={problem} />
        <Actions>
          <Button type="submit" kind="main" busy={busy}>
            {t(busy ? 'sending' : 'signIn')}
          </Button>
          <Button onClick={props.onBack}>{t('directoryBack')}</Button>
        </Actions>
      </form>
    </Page>
  )
}
