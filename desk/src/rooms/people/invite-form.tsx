import { useDraft } from '@integrity/shared-ui/hooks/use-draft'
import { looksLikeEmail } from '@integrity/shared-ui/session/send-problem'
import { Actions, Button } from '@integrity/shared-ui/web/button'
import { ChoiceField, EmailField, focusField, WordsField } from '@integrity/shared-ui/web/fields'
import { type FormEvent, useState } from 'react'
import { useDesk, useMay } from '../../parts/desk-context.ts'
import { Outcome } from '../../parts/outcome.tsx'
import { useAttempt } from '../../parts/use-attempt.ts'
import { useEndpoint } from '../../parts/use-endpoint.ts'
import { builtInRoles, givenBy } from './people.ts'
import { useLanguage } from './people-language.tsx'

/** Every role that may be given: the built-in ones, and for whoever may assign them those of the organisation. */
const useOfferedRoles = () => {
  const { t } = useLanguage()
  const { org } = useDesk()
  const mayAssign = useMay('role.manage')
  const roles = useEndpoint('portal.roles.list', { params: { orgId: org.id } })
  const custom = mayAssign && roles.state.name === 'there' ? roles.state.data.items : []
  return [
    ...givenBy(org).map((value) => ({ value: value as string, label: t(`role.${value}`) })),
    ...custom.map(({ id, name }) => ({ value: id, label: name })),
  ]
}

const useInviting = () => {
  const { own, org, person, pageMemory } = useDesk()
  const { t, language } = useLanguage()
  const empty = { email: '', role: 'interviewer', message: '' }
  const draft = useDraft<typeof empty>(`invite ${person.user.id} ${org.id}`, empty, pageMemory)
  const acting = useAttempt('portal.invites.list')
  const send = () =>
    acting.attempt(async () => {
      const { email, role, message } = draft.words
      const builtIn = builtInRoles.find((one) => one === role)
      const body = {
        email: email.trim(),
        // Whoever loses the custom role has the least of the built-in ones.
        role: builtIn ?? ('interviewer' as const),
        ...(builtIn ? {} : { customRoleId: role }),
        ...(message.trim() === '' ? {} : { message: message.trim() }),
        locale: language.code,
      }
      await own.call('portal.invites.create', { params: { orgId: org.id }, body, idempotencyKey: draft.once() })
      draft.clear()
      return t('peopleInvited', { email: email.trim() })
    })
  return { draft, acting, send }
}

/** Asks somebody by e-mail to become a member. */
export const InviteForm = () => {
  const { t } = useLanguage()
  const { draft, acting, send } = useInviting()
  const options = useOfferedRoles()
  const [wrong, setWrong] = useState(false)
  const { at } = acting
  const submit = (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault()
    const isWrong = !looksLikeEmail(draft.words.email)
    setWrong(isWrong)
    if (isWrong) focusField(event.currentTarget, 'email')
    else send()
  }
  return (
    <form noValidate onSubmit={submit}>
      <EmailField
        name="email"
        label={t('peopleEmail')}
        value={draft.words.email}
        onChange={(email) => draft.change({ email })}
        error={wrong ? t('inviteWrong') : at('email')}
      />
      <ChoiceField
        name="role"
        label={t('peopleRole')}
        value={draft.words.role}
        options={options}
        onChange={(role) => draft.change({ role })}
        error={at('role') ?? at('customRoleId')}
      />
      <WordsField
        name="message"
        label={t('peopleMessage')}
        value={draft.words.message}
        onChange={(message) => draft.change({ message })}
        error={at('message')}
        optional
        maxLength={2000}
      />
      <Outcome of={acting} fields={['email', 'role', 'customRoleId', 'message']} />
      <Actions>
        <Button type="submit" kind="main" busy={acting.busy}>
          {t(acting.busy ? 'sending' : 'peopleInviteButton')}
        </Button>
      </Actions>
    </form>
  )
}
