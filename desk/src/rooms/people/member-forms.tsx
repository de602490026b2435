import { Actions, Button } from '@integrity/shared-ui/web/button'
import { ChoiceField } from '@integrity/shared-ui/web/fields'
import { Notice } from '@integrity/shared-ui/web/shell'
import { type FormEvent, useState } from 'react'
import { useDesk, useMay } from '../../parts/desk-context.ts'
import { Outcome } from '../../parts/outcome.tsx'
import { useAttempt } from '../../parts/use-attempt.ts'
import { useEndpoint } from '../../parts/use-endpoint.ts'
import { ActiveForm } from './active-form.tsx'
import { type BuiltInRole, builtInRoles, givenBy, type Member } from './people.ts'
import { useLanguage } from './people-language.tsx'

interface Props {
  readonly member: Member
}

/** Whether nobody but this member could do what only owners may. */
const useIsLastOwner = ({ role, active }: Member): boolean => {
  const { org } = useDesk()
  const owners = useEndpoint('portal.members.list', {
    params: { orgId: org.id },
    query: { role: 'owner', active: 'true', limit: 1 },
  })
  return role === 'owner' && active && owners.state.name === 'there' && owners.state.data.total === 1
}

/** The member's built-in role, and the custom one that takes the place of its permissions. */
const RoleForm = ({ member }: Props) => {
  const { t } = useLanguage()
  const { org, own } = useDesk()
  const [mayManage, mayAssign] = [useMay('member.manage'), useMay('role.manage')]
  const roles = useEndpoint('portal.roles.list', { params: { orgId: org.id } })
  const [role, setRole] = useState<string>(member.role)
  const [custom, setCustom] = useState(member.customRole?.id ?? '')
  const acting = useAttempt('portal.members.list', 'portal.roles.list')
  const customRoles = roles.state.name === 'there' ? roles.state.data.items : []
  const params = { orgId: org.id, membershipId: member.id }
  const submit = (event: FormEvent) => {
    event.preventDefault()
    acting.attempt(async () => {
      const wanted = builtInRoles.find((name) => name === role) ?? member.role
      if (wanted !== member.role) await own.call('portal.members.change', { params, body: { role: wanted } })
      if (wanted !== 'owner' && custom !== (member.customRole?.id ?? ''))
        await own.call('portal.roles.assign', { params, body: { roleId: custom === '' ? null : custom } })
      return t('peopleRoleSaved')
    })
  }
  const offered: readonly BuiltInRole[] = givenBy(org).includes(member.role)
    ? givenBy(org)
    : [member.role, ...givenBy(org)]
  return (
    <form noValidate onSubmit={submit}>
      {mayManage ? (
        <ChoiceField
          name="role"
          label={t('peopleRole')}
          value={role}
          options={offered.map((value) => ({ value, label: t(`role.${value}`) }))}
          onChange={setRole}
          error={acting.at('role')}
        />
      ) : null}
      {mayAssign && role !== 'owner' && customRoles.length > 0 ? (
        <ChoiceField
          name="custom"
          label={t('peopleCustomRole')}
          help={t('peopleCustomRoleHelp')}
          value={custom}
          options={[
            { value: '', label: t('peopleNoCustomRole') },
            ...customRoles.map(({ id, name }) => ({ value: id, label: name })),
          ]}
          onChange={setCustom}
          error={acting.at('roleId')}
        />
      ) : null}
      <Outcome of={acting} fields={['role', 'roleId']} />
      <Actions>
        <Button type="submit" busy={acting.busy}>
          {t(acting.busy ? 'sending' : 'peopleSaveRole')}
        </Button>
      </Actions>
    </form>
  )
}

/** What can be changed of a member. Where nothing can, the reason. */
export const MemberForms = ({ member }: Props) => {
  const { t } = useLanguage()
  const { person } = useDesk()
  const mayManage = useMay('member.manage')
  const isLastOwner = useIsLastOwner(member)
  const name = member.name ?? member.email
  if (isLastOwner) return <Notice>{t('peopleLastOwner', { name })}</Notice>
  if (member.userId === person.user.id) return <Notice>{t('peopleOwnRole')}</Notice>
  return (
    <>
      {member.active ? <RoleForm member={member} /> : null}
      {mayManage ? <ActiveForm member={member} /> : null}
    </>
  )
}
