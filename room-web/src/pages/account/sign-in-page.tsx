import { type FormEvent, useState } from 'react'
import type { OpenAccount } from '../../browser/open-account.ts'
import { EmailField, focusField, PasswordField } from '../../components/fields.tsx'
import { SendProblemNotice } from '../../components/send-problem.tsx'
import { useSending } from '../../components/use-sending.ts'
import { isWrong, type SecondStep, type SsoInstead, ssoInsteadOf } from '../../session/account-api.ts'
import { Actions, Button } from '../../ui/button.tsx'
import { AlertNotice } from '../../ui/read-out.tsx'
import { Page } from '../../ui/shell.tsx'
import { useLanguage } from './language.ts'
import { SecondStepPage } from './second-step-page.tsx'

interface FormProps {
  readonly open: OpenAccount
  readonly over: boolean
  readonly onStep: (step: SecondStep) => void
}

const SsoNotice = ({ instead }: { readonly instead: SsoInstead | undefined }) => {
  const { t } = useLanguage()
  return (
    <>
      <AlertNotice>{instead ? t('ssoRequired') : null}</AlertNotice>
      {instead ? <p>{instead.url ? <a href={instead.url}>{t('ssoGo')}</a> : t('ssoDirectory')}</p> : null}
    </>
  )
}

const SignInForm = ({ open: { caller, visit }, over, onStep }: FormProps) => {
  const { t } = useLanguage()
  const [words, setWords] = useState({ email: '', password: '' })
  const [wrong, setWrong] = useState(false)
  const [instead, setInstead] = useState<SsoInstead>()
  const { busy, problem, send } = useSending({ endedBy: () => false })
  const submit = (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault()
    const form = event.currentTarget
    setWrong(false)
    setInstead(undefined)
    send(async () => {
      try {
        const { data } = await caller.call('auth.login', { body: words })
        if ('secondFactor' in data) onStep(data.secondFactor)
        else await visit.refresh()
      } catch (error) {
        const elsewhere = ssoInsteadOf(error)
        if (elsewhere) return setInstead(elsewhere)
        if (!isWrong(error)) throw error
        setWrong(true)
        focusField(form, 'email')
      }
    })
  }
  return (
    <form noValidate onSubmit={submit}>
      <AlertNotice>{over ? t('stepOver') : null}</AlertNotice>
      <EmailField
        name="email"
        value={words.email}
        onChange={(email) => setWords({ ...words, email })}
        label={t('email')}
        error={wrong ? t('signInWrong') : undefined}
      />
      <PasswordField
        name="password"
        value={words.password}
        onChange={(password) => setWords({ ...words, password })}
        label={t('password')}
        isNew={false}
      />
      <p className="small">
        <a href="../password/">{t('forgot')}</a>
      </p>
      <SsoNotice instead={instead} />
      <SendProblemNotice problem={problem} />
      <Actions>
        <Button type="submit" kind="main" busy={busy}>
          {t(busy ? 'sending' : 'signIn')}
        </Button>
      </Actions>
    </form>
  )
}

/** Both steps of a sign-in. */
export const SignInPage = ({ open }: Pick<FormProps, 'open'>) => {
  const { t } = useLanguage()
  const [step, setStep] = useState<SecondStep | 'over' | undefined>(open.takeArrived)
  if (typeof step === 'object') return <SecondStepPage open={open} step={step} onOver={() => setStep('over')} />
  return (
    <Page key="sign-in" title={t('signInTitle')}>
      <SignInForm open={open} over={step === 'over'} onStep={setStep} />
    </Page>
  )
}
