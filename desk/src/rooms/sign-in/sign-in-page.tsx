import { useSending } from '@integrity/shared-ui/hooks/use-sending'
import { looksLikeEmail } from '@integrity/shared-ui/session/send-problem'
import { Actions, Button } from '@integrity/shared-ui/web/button'
import { EmailField, focusField, PasswordField } from '@integrity/shared-ui/web/fields'
import { AlertNotice } from '@integrity/shared-ui/web/read-out'
import { SendProblemNotice } from '@integrity/shared-ui/web/send-problem'
import { Page } from '@integrity/shared-ui/web/shell'
import { type FormEvent, type RefObject, useRef, useState } from 'react'
import type { SignIn } from '../../browser/open-account.ts'
import { findSso, isWrong, type SecondStep, type SsoInstead, ssoInsteadOf, withReturn } from '../../data/account-api.ts'
import { DirectoryPage } from './directory-page.tsx'
import { useLanguage } from './language.ts'
import { SecondStepPage } from './second-step-page.tsx'

interface FormProps {
  readonly open: SignIn
  readonly over: boolean
  readonly onStep: (step: SecondStep) => void
  readonly onDirectory: (orgSlug: string) => void
}

type Returning = Pick<SignIn, 'returnTo'>

/** What is said beneath the fields: where to sign in instead, or that there is no other place. */
const SsoNotice = ({ instead, returnTo }: { readonly instead: SsoInstead | 'none' | undefined } & Returning) => {
  const { t } = useLanguage()
  const elsewhere = typeof instead === 'object' ? instead : undefined
  const said = elsewhere?.required ? t('ssoRequired') : instead === 'none' ? t('ssoNone') : null
  return (
    <>
      <AlertNotice>{said}</AlertNotice>
      {elsewhere?.url ? (
        <p>
          <a href={withReturn(elsewhere.url, returnTo?.())}>{t('ssoGo')}</a>
        </p>
      ) : null}
    </>
  )
}

type Wrong = 'words' | 'email'

const useSignIn = (
  { open: { caller, visit }, onStep, onDirectory }: FormProps,
  form: RefObject<HTMLFormElement | null>,
) => {
  const [wrong, setWrong] = useState<Wrong>()
  const [instead, setInstead] = useState<SsoInstead | 'none'>()
  const { busy, problem, send } = useSending({ endedBy: () => false })
  const begin = () => {
    setWrong(undefined)
    setInstead(undefined)
  }
  const fail = (as: Wrong) => {
    setWrong(as)
    if (form.current) focusField(form.current, 'email')
  }
  const goTo = (elsewhere: SsoInstead | undefined) => {
    if (elsewhere?.directory !== undefined) onDirectory(elsewhere.directory)
    else setInstead(elsewhere ?? 'none')
  }
  const byPassword = (words: { readonly email: string; readonly password: string }) => {
    begin()
    send(async () => {
      try {
        const { data } = await caller.call('auth.login', { body: words })
        if ('secondFactor' in data) onStep(data.secondFactor)
        else await visit.refresh()
      } catch (error) {
        const elsewhere = ssoInsteadOf(error)
        if (elsewhere) return goTo(elsewhere)
        if (!isWrong(error)) throw error
        fail('words')
      }
    })
  }
  const byOrganisation = (email: string) => {
    begin()
    if (!looksLikeEmail(email)) return fail('email')
    send(async () => goTo(await findSso(caller, email.trim())))
  }
  return { wrong, instead, busy, problem, byPassword, byOrganisation }
}

const SignInForm = (props: FormProps) => {
  const { t } = useLanguage()
  const [words, setWords] = useState({ email: '', password: '' })
  const form = useRef<HTMLFormElement>(null)
  const { wrong, instead, busy, problem, byPassword, byOrganisation } = useSignIn(props, form)
  const submit = (event: FormEvent) => {
    event.preventDefault()
    byPassword(words)
  }
  return (
    <form noValidate ref={form} onSubmit={submit}>
      <AlertNotice>{props.over ? t('stepOver') : null}</AlertNotice>
      <EmailField
        name="email"
        value={words.email}
        onChange={(email) => setWords({ ...words, email })}
        label={t('email')}
        error={wrong && t(wrong === 'words' ? 'signInWrong' : 'ssoEmail')}
      />
      <PasswordField
        name="password"
        value={words.password}
        onChange={(password) => setWords({ ...words, password })}
        label={t('password')}
        isNew={false}
      />
      <p className="small">
        <a href={props.open.passwordPage}>{t('forgot')}</a>
      </p>
      <SsoNotice instead={instead} returnTo={props.open.returnTo} />
      <SendProblemNotice problem={problem} />
      <Actions>
        <Button type="submit" kind="main" busy={busy}>
          {t(busy ? 'sending' : 'signIn')}
        </Button>
        <Button busy={busy} onClick={() => byOrganisation(words.email)}>
          {t('ssoFind')}
        </Button>
      </Actions>
    </form>
  )
}

/** Both steps of a sign-in, by a password of ours or of an organisation's directory. */
export const SignInPage = ({ open }: Pick<FormProps, 'open'>) => {
  const { t } = useLanguage()
  const [step, setStep] = useState<SecondStep | 'over' | undefined>(open.takeArrived)
  const [directory, setDirectory] = useState<string>()
  if (typeof step === 'object') return <SecondStepPage open={open} step={step} onOver={() => setStep('over')} />
  if (directory !== undefined)
    return <DirectoryPage open={open} orgSlug={directory} onStep={setStep} onBack={() => setDirectory(undefined)} />
  return (
    <Page key="sign-in" title={t('signInTitle')}>
      <SignInForm open={open} over={step === 'over'} onStep={setStep} onDirectory={setDirectory} />
    </Page>
  )
}
