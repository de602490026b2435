import { useSending } from '@integrity/shared-ui/hooks/use-sending'
import { Actions, Button } from '@integrity/shared-ui/web/button'
import { focusField, PasswordField } from '@integrity/shared-ui/web/fields'
import { SendProblemNotice } from '@integrity/shared-ui/web/send-problem'
import { Page } from '@integrity/shared-ui/web/shell'
import { type FormEvent, useState } from 'react'
import { isWrong } from '../../data/account-api.ts'
import { useLanguage } from './language.ts'

interface Props {
  readonly onProof: (password: string) => Promise<void>
  readonly onCancel: () => void
}

/** Asks for the password once more, before something changes. */
export const ProofPage = ({ onProof, onCancel }: Props) => {
  const { t } = useLanguage()
  const [password, setPassword] = useState('')
  const [wrong, setWrong] = useState(false)
  const { busy, problem, send } = useSending({ endedBy: () => false })
  const submit = (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault()
    const form = event.currentTarget
    setWrong(false)
    send(async () => {
      try {
        await onProof(password)
      } catch (error) {
        if (!isWrong(error)) throw error
        setWrong(true)
        focusField(form, 'password')
      }
    })
  }
  return (
    <Page key="proof" title={t('proofTitle')}>
      <p>{t('proofText')}</p>
      <form noValidate onSubmit={submit}>
        <PasswordField
          name="password"
          value={password}
          onChange={setPassword}
          label={t('password')}
          error={wrong ? t('proofWrong') : undefined}
          isNew={false}
        />
        <SendProblemNotice problem={problem} conflict={t('exists')} />
        <Actions>
          <Button type="submit" kind="main" busy={busy}>
            {t(busy ? 'sending' : 'proceed')}
          </Button>
          <Button onClick={onCancel}>{t('cancel')}</Button>
        </Actions>
      </form>
    </Page>
  )
}
