import { IntegrityError } from '@integrity/client/errors'
import { useSending } from '@integrity/shared-ui/hooks/use-sending'
import { Actions, Button } from '@integrity/shared-ui/web/button'
import { focusField, LineField, PasswordField } from '@integrity/shared-ui/web/fields'
import { SendProblemNotice } from '@integrity/shared-ui/web/send-problem'
import { type FormEvent, useState } from 'react'
import { flushSync } from 'react-dom'
import type { OpenInvite } from '../../browser/open-invite.ts'
import { passwordMin } from '../../session/access-api.ts'
import type { InviteInHand, Joined } from '../../session/invite-api.ts'
import type { InviteText } from '../../texts/invite.ts'
import { useLanguage } from './language.ts'
import { type Over, overs } from './over-page.tsx'

interface Props extends InviteInHand {
  readonly open: OpenInvite
  readonly onJoined: (joined: Joined) => void
  readonly onOver: (why: Over) => void
}

/** With the account that is signed in, with another one's password, or with a new account. */
type Way = 'signed_in' | 'password' | 'new'
type Field = 'name' | 'password'
type Wrong = Readonly<Partial<Record<Field, InviteText>>>
type Words = Readonly<Record<Field, string>>

/** What a refusal says about the fields, or about the invite. */
const meaningOf = (error: unknown, way: Way): Wrong | Over | undefined => {
  if (!(error instanceof IntegrityError)) return undefined
  const { kind, extra, details } = error
  if (kind === 'conflict') return overs.find((reason) => reason === extra['reason'])
  if (extra['reason'] === 'account_needed' || extra['reason'] === 'wrong_address')
    return { password: 'passwordMissing' }
  if (extra['reason'] === 'second_factor_needed') return { password: 'secondFactor' }
  if (kind === 'unauthorized') return { password: way === 'password' ? 'passwordRefused' : 'passwordMissing' }
  const paths = details.map(({ path }) => path)
  const wrong: Wrong = {
    ...(paths.includes('name') ? { name: 'nameWrong' } : {}),
    ...(paths.includes('password') ? { password: 'passwordWrong' } : {}),
  }
  return Object.keys(wrong).length > 0 ? wrong : undefined
}

const faultsIn = ({ name, password }: Words, way: Way): Wrong => {
  if (way === 'signed_in') return {}
  if (way === 'password') return password === '' ? { password: 'passwordMissing' } : {}
  return {
    ...(name.trim() === '' ? { name: 'nameWrong' as const } : {}),
    ...(password.length < passwordMin ? { password: 'passwordWrong' as const } : {}),
  }
}

const bodyOf = ({ name, password }: Words, way: Way) => {
  if (way === 'signed_in') return {}
  return way === 'password' ? { password } : { name, password }
}

/** What is written into the form, what is wrong with it, and sending it. */
const useAccepting = ({ open: { call, token }, invite, signedInAs, onJoined, onOver }: Props) => {
  // Not kept in the tab, as drafts are: one of these is a password.
  const [words, setWords] = useState<Words>({ name: '', password: '' })
  const [wrong, setWrong] = useState<Wrong>({})
  // The sign-in ended, or an account came to be, while the page was open.
  const [asked, setAsked] = useState(false)
  const { busy, problem, send } = useSending({ endedBy: () => false })
  const own: Way = invite.hasAccount ? 'password' : 'new'
  const way: Way = asked ? 'password' : signedInAs === invite.email ? 'signed_in' : own
  const refuse = (form: HTMLFormElement, faults: Wrong) => {
    // The field may only come with it.
    flushSync(() => {
      setWrong(faults)
      if (faults.password === 'passwordMissing') setAsked(true)
    })
    focusField(form, Object.keys(faults)[0] ?? '')
  }
  const accept = async (form: HTMLFormElement) => {
    try {
      onJoined(await call.ask('invites.accept', { token, ...bodyOf(words, way) }))
    } catch (error) {
      const meaning = meaningOf(error, way)
      if (meaning === undefined) throw error
      if (typeof meaning === 'string') return onOver(meaning)
      refuse(form, meaning)
    }
  }
  const submit = (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault()
    const form = event.currentTarget
    const found = faultsIn(words, way)
    if (Object.keys(found).length > 0) return refuse(form, found)
    setWrong({})
    send(() => accept(form))
  }
  return { words, setWords, wrong, way, busy, problem, submit }
}

const intro = { signed_in: 'signedIn', password: 'hasAccount', new: 'newAccount' } as const

/** Accepts, in the way that the address of the invite needs. */
export const AcceptForm = (props: Props) => {
  const { t } = useLanguage()
  const { words, setWords, wrong, way, busy, problem, submit } = useAccepting(props)
  const { signedInAs: other, invite } = props
  const { email } = invite
  const of = (name: Field) => ({
    name,
    value: words[name],
    label: t(name),
    error: wrong[name] ? t(wrong[name]) : undefined,
    onChange: (value: string) => setWords({ ...words, [name]: value }),
  })
  return (
    <form noValidate onSubmit={submit}>
      {other && other !== email ? <p>{t('otherSignedIn', { other, email })}</p> : null}
      <p>{t(intro[way], { email })}</p>
      {way === 'new' ? <LineField {...of('name')} maxLength={200} autoComplete="name" /> : null}
      {way === 'signed_in' ? null : <PasswordField {...of('password')} isNew={way === 'new'} />}
      {way === 'password' ? (
        <p className="small">
          <a href="../password/">{t('forgot')}</a> {t('forgotAfter')}
        </p>
      ) : null}
      <SendProblemNotice problem={problem} />
      <Actions>
        <Button type="submit" kind="main" busy={busy}>
          {t(busy ? 'sending' : 'accept')}
        </Button>
      </Actions>
    </form>
  )
}
