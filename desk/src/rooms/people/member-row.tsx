import { Button } from '@integrity/shared-ui/web/button'
import { useLocale } from '@integrity/shared-ui/web/spoken'
import { useId, useState } from 'react'
import { useDesk, useMay } from '../../parts/desk-context.ts'
import { shortTime } from '../../parts/spans.ts'
import { MemberForms } from './member-forms.tsx'
import type { Member } from './people.ts'
import { useLanguage } from './people-language.tsx'

/** A member in a line, and behind a button what can be changed. */
export const MemberRow = ({ member }: { readonly member: Member }) => {
  const { t } = useLanguage()
  const locale = useLocale()
  const { person } = useDesk()
  const mayManage = useMay('member.manage')
  const mayAssign = useMay('role.manage')
  const [open, setOpen] = useState(false)
  const id = useId()
  const { name, email, role, customRole, active, lastSeenAt, deactivatedAt } = member
  const facts = [
    t(`role.${role}`),
    customRole ? t('peopleInstead', { role: customRole.name }) : null,
    member.userId === person.user.id ? t('peopleYou') : null,
    active || deactivatedAt === null ? null : t('peopleDeactivatedAt', { at: shortTime(deactivatedAt, locale) }),
    lastSeenAt === null ? t('peopleNeverSeen') : t('peopleSeen', { at: shortTime(lastSeenAt, locale) }),
  ].filter(Boolean)
  const called = name ?? email
  return (
    <li>
      <p>
        <strong>{called}</strong> {name === null ? null : <bdi dir="ltr">{email}</bdi>}
        <br />
        <span className="small">{facts.join(' · ')}</span>
      </p>
      {mayManage || mayAssign ? (
        <Button aria-expanded={open} aria-controls={id} onClick={() => setOpen(!open)}>
          {t('peopleChange', { name: called })}
        </Button>
      ) : null}
      <div id={id}>{open ? <MemberForms member={member} /> : null}</div>
    </li>
  )
}
