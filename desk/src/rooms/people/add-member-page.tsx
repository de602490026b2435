import { useDraft } from '@integrity/shared-ui/hooks/use-draft'
import { looksLikeEmail } from '@integrity/shared-ui/session/send-problem'
import { Actions, Button } from '@integrity/shared-ui/web/button'
import { ChoiceField, EmailField, focusField, LineField } from '@integrity/shared-ui/web/fields'
import { Page } from '@integrity/shared-ui/web/shell'
import { type FormEvent, useState } from 'react'
import { useDesk } from '../../parts/desk-context.ts'
import { Link } from '../../parts/link.tsx'
import { Outcome } from '../../parts/outcome.tsx'
import { useAttempt } from '../../parts/use-attempt.ts'
import { builtInRoles, givenBy, peopleAt } from './people.ts'
import { useLanguage } from './people-language.tsx'

type Wrong = 'email' | 'name'

const useAdding = () => {
  const { own, org, person, pageMemory } = useDesk()
  const { t, language } = useLanguage()
  const empty = { email: '', name: '', role: 'interviewer' }
  const draft = useDraft<typeof empty>(`member ${person.user.id} ${org.id}`, empty, pageMemory)
  const acting = useAttempt('portal.members.list')
  const [wrong, setWrong] = useState<Wrong>()
  const add = (): Wrong | undefined => {
    const { email, name, role } = draft.words
    const found = !looksLikeEmail(email) ? 'email' : name.trim() === '' ? 'name' : undefined
    setWrong(found)
    if (found === undefined)
      acting.attempt(async () => {
        const given = builtInRoles.find((one) => one === role) ?? 'interviewer'
        const body = { email: email.trim(), name: name.trim(), role: given, locale: language.code }
        await own.call('portal.members.add', { params: { orgId: org.id }, body, idempotencyKey: draft.once() })
        draft.clear()
        return t('peopleAdded', { name: name.trim(), email: email.trim() })
      })
    return found
  }
  return { draft, acting, wrong, add }
}

/** Makes somebody a member at once; the service writes to them. */
export const AddMemberPage = () => {
  const { t } = useLanguage()
  const { org } = useDesk()
  const { draft, acting, wrong, add } = useAdding()
  const { at } = acting
  const submit = (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault()
    const found = add()
    if (found) focusField(event.currentTarget, found)
  }
  return (
    <Page title={t('peopleAdd')}>
      <p>{t('peopleAddText')}</p>
      <form noValidate onSubmit={submit}>
        <EmailField
          name="email"
          label={t('peopleEmail')}
          value={draft.words.email}
          onChange={(email) => draft.change({ email })}
          error={wrong === 'email' ? t('inviteWrong') : at('email')}
        />
        <LineField
          name="name"
          label={t('peopleName')}
          value={draft.words.name}
          onChange={(name) => draft.change({ name })}
          error={wrong === 'name' ? t('peopleNameMissing') : at('name')}
          maxLength={200}
        />
        <ChoiceField
          name="role"
          label={t('peopleRole')}
          value={draft.words.role}
          options={givenBy(org).map((value) => ({ value, label: t(`role.${value}`) }))}
          onChange={(role) => draft.change({ role })}
          error={at('role')}
        />
        <Outcome of={acting} fields={['email', 'name', 'role']} />
        <Actions>
          <Button type="submit" kind="main" busy={acting.busy}>
            {t(acting.busy ? 'sending' : 'peopleAddButton')}
          </Button>
        </Actions>
      </form>
      <p>
        <Link to={peopleAt(org, 'members')}>{t('peopleAllMembers')}</Link>
      </p>
    </Page>
  )
}
