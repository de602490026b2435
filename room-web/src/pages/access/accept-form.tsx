import { IntegrityError } from '@integrity/client/errors'
import { useSending } from '@integrity/shared-ui/hooks/use-sending'
import { Actions, Button } from '@integrity/shared-ui/web/button'
import { ExactField, focusField, LineField, PasswordField } from '@integrity/shared-ui/web/fields'
import { SendProblemNotice } from '@integrity/shared-ui/web/send-problem'
import { type FormEvent, useState } from 'react'
import { type AccessCall, type OpenedOrg, type OwnerInvite, passwordMin } from '../../session/access-api.ts'
import type { AccessText } from '../../texts/access.ts'
import { useLanguage } from './language.ts'

export interface InviteProps {
  readonly call: AccessCall
  readonly token: string
  readonly facts: OwnerInvite
}

type Over = 'expired' | 'replaced' | 'accepted'
type Wrong = Readonly<Partial<Record<'name' | 'password' | 'slug', AccessText>>>

interface Props extends InviteProps {
  readonly onOpened: (opened: OpenedOrg) => void
  readonly onOver: (why: Over) => void
}

const overs: readonly string[] = ['expired', 'replaced', 'accepted'] satisfies Over[]

/** What a refusal says about the fields, or about the link. */
const meaningOf = (error: unknown, withPassword: boolean): Wrong | Over | undefined => {
  if (!(error instanceof IntegrityError)) return undefined
  const { kind, extra, details } = error
  if (kind === 'conflict')
    return overs.includes(String(extra['reason'])) ? (extra['reason'] as Over) : { slug: 'slugWrong' }
  if (extra['reason'] === 'second_factor_needed') return { password: 'secondFactor' }
  if (kind === 'unauthorized' || extra['reason'] === 'wrong_address')
    return { password: withPassword ? 'passwordRefused' : 'passwordMissing' }
  const paths = details.map(({ path }) => path)
  const wrong: Wrong = {
    ...(paths.includes('name') ? { name: 'nameWrong' } : {}),
    ...(paths.includes('password') ? { password: 'passwordWrong' } : {}),
    ...(paths.includes('slug') ? { slug: 'slugWrong' } : {}),
  }
  return Object.keys(wrong).length > 0 ? wrong : undefined
}

const faultsIn = (
  { name, password, slug }: Record<'name' | 'password' | 'slug', string>,
  hasAccount: boolean,
): Wrong => ({
  ...(!hasAccount && name.trim() === '' ? { name: 'nameWrong' as const } : {}),
  ...(!hasAccount && password.length < passwordMin ? { password: 'passwordWrong' as const } : {}),
  ...(slug !== '' && !/^(?=.{3,40}$)[a-z0-9]+(?:-[a-z0-9]+)*$/.test(slug) ? { slug: 'slugWrong' as const } : {}),
})

/** What is written into the form, what is wrong with it, and sending it. */
const useAccepting = ({ call, token, facts, onOpened, onOver }: Props) => {
  const { hasAccount } = facts
  // Not kept in the tab, as drafts are: one of these is a password.
  const [words, setWords] = useState({ name: facts.name, password: '', slug: '' })
  const [wrong, setWrong] = useState<Wrong>({})
  const { busy, problem, send } = useSending({ endedBy: () => false })
  const refuse = (form: HTMLFormElement, faults: Wrong) => {
    setWrong(faults)
    focusField(form, Object.keys(faults)[0] ?? '')
  }
  const accept = async (form: HTMLFormElement) => {
    const { name, password, slug } = words
    const who = { ...(hasAccount ? {} : { name }), ...(password ? { password } : {}) }
    try {
      onOpened(await call.ask('ownerInvites.accept', { token, ...who, ...(slug ? { slug } : {}) }))
    } catch (error) {
      const meaning = meaningOf(error, password !== '')
      if (meaning === undefined) throw error
      if (typeof meaning === 'string') onOver(meaning)
      else refuse(form, meaning)
    }
  }
  const submit = (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault()
    const form = event.currentTarget
    const found = faultsIn(words, hasAccount)
    if (Object.keys(found).length > 0) return refuse(form, found)
    setWrong({})
    send(() => accept(form))
  }
  return { words, setWords, wrong, busy, problem, submit }
}

/** Opens the organisation: with a new account, or with the one that the address has. */
export const AcceptForm = (props: Props) => {
  const { t } = useLanguage()
  const { email, hasAccount } = props.facts
  const { words, setWords, wrong, busy, problem, submit } = useAccepting(props)
  const of = (name: keyof typeof words) => ({
    name,
    value: words[name],
    error: wrong[name] ? t(wrong[name]) : undefined,
    onChange: (value: string) => setWords({ ...words, [name]: value }),
  })
  return (
    <form noValidate onSubmit={submit}>
      <p>{t(hasAccount ? 'hasAccount' : 'newAccount', { email })}</p>
      {hasAccount ? null : <LineField {...of('name')} label={t('name')} maxLength={200} autoComplete="name" />}
      <PasswordField {...of('password')} label={t('password')} isNew={!hasAccount} />
      <ExactField {...of('slug')} label={t('slug')} optional help={t('slugHelp')} maxLength={40} />
      <SendProblemNotice problem={problem} />
      <Actions>
        <Button type="submit" kind="main" busy={busy}>
          {t(busy ? 'sending' : 'open')}
        </Button>
      </Actions>
    </form>
  )
}
