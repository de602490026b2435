import { useSending } from '@integrity/shared-ui/hooks/use-sending'
import { Actions, Button } from '@integrity/shared-ui/web/button'
import { ExactField } from '@integrity/shared-ui/web/fields'
import { AlertNotice } from '@integrity/shared-ui/web/read-out'
import { SendProblemNotice } from '@integrity/shared-ui/web/send-problem'
import { Page } from '@integrity/shared-ui/web/shell'
import { type FormEvent, useState } from 'react'
import type { SignIn } from '../../browser/open-account.ts'
import { usePasskey as askPasskey, canUsePasskeys, type UsedPasskey } from '../../browser/passkeys.ts'
import { isWrong, reasonOf, type SecondStep } from '../../data/account-api.ts'
import { useLanguage } from './language.ts'

interface Props {
  readonly open: SignIn
  readonly step: SecondStep
  readonly onOver: () => void
}

type Proof = { readonly code: string } | { readonly recoveryCode: string } | { readonly passkey: UsedPasskey }
type Wrong = 'code' | 'recoveryCode' | 'passkey'

/** Takes a proof to the service, one at a time. */
const useProving = ({ open: { caller, visit }, step, onOver }: Props) => {
  const { language } = useLanguage()
  const [wrong, setWrong] = useState<Wrong>()
  const { busy, problem, send } = useSending({ endedBy: () => false })
  const prove = (way: Wrong, find: () => Promise<Proof | undefined>) => {
    setWrong(undefined)
    send(async () => {
      const proof = await find()
      if (!proof) return setWrong(way)
      try {
        const body = { challengeToken: step.challengeToken, locale: language.code, ...proof }
        await caller.call('auth.login.secondFactor', { body })
        await visit.refresh()
      } catch (error) {
        if (reasonOf(error) === 'begin_again') return onOver()
        if (!isWrong(error)) throw error
        setWrong(way)
      }
    })
  }
  return { wrong, busy, problem, prove }
}

interface CodeFormProps {
  readonly name: 'code' | 'recoveryCode'
  readonly label: string
  readonly help: string
  readonly button: string
  readonly error: string | undefined
  readonly busy: boolean
  readonly onCode: (code: string) => void
}

const CodeForm = ({ name, label, help, button, error, busy, onCode }: CodeFormProps) => {
  const [code, setCode] = useState('')
  const submit = (event: FormEvent) => {
    event.preventDefault()
    onCode(code)
  }
  return (
    <form noValidate onSubmit={submit}>
      <ExactField {...{ name, label, help, error }} value={code} onChange={setCode} maxLength={64} />
      <Actions>
        <Button type="submit" busy={busy}>
          {button}
        </Button>
      </Actions>
    </form>
  )
}

/** The ways that the account has. */
export const SecondStepPage = (props: Props) => {
  const { t } = useLanguage()
  const { methods, passkeyOptions } = props.step
  const { wrong, busy, problem, prove } = useProving(props)
  const byPasskey = async () => {
    const passkey = passkeyOptions && (await askPasskey(passkeyOptions))
    return passkey && { passkey }
  }
  return (
    <Page key="step" title={t('stepTitle')}>
      <p>{t('stepText')}</p>
      {methods.includes('passkey') && canUsePasskeys() ? (
        <Actions>
          <Button kind="main" busy={busy} onClick={() => prove('passkey', byPasskey)}>
            {t('usePasskey')}
          </Button>
        </Actions>
      ) : null}
      <AlertNotice>{wrong === 'passkey' ? t('passkeyFailed') : null}</AlertNotice>
      {methods.includes('totp') ? (
        <CodeForm
          {...{ name: 'code', label: t('code'), help: t('codeHelp'), button: t('useCode'), busy }}
          error={wrong === 'code' ? t('codeWrong') : undefined}
          onCode={(code) => prove('code', () => Promise.resolve({ code }))}
        />
      ) : null}
      {methods.includes('recovery_code') ? (
        <CodeForm
          {...{
            name: 'recoveryCode',
            label: t('recoveryCode'),
            help: t('recoveryHelp'),
            button: t('useRecovery'),
            busy,
          }}
          error={wrong === 'recoveryCode' ? t('codeWrong') : undefined}
          onCode={(recoveryCode) => prove('recoveryCode', () => Promise.resolve({ recoveryCode }))}
        />
      ) : null}
      <SendProblemNotice problem={problem} />
    </Page>
  )
}
