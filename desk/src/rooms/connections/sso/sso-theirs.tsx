import { useLanguage } from '../../../parts/language.ts'
import { type NamedField, TheirValues } from '../../../parts/their-values.tsx'
import type { Met } from '../../../parts/use-theirs.ts'
import { givenRoles, mappedOf } from './sso-words.ts'

interface Props {
  readonly met: Met | undefined
  readonly words: Readonly<Record<string, string>>
  /** What the kind of connection has of its own. */
  readonly fields: readonly NamedField[]
  readonly change: (part: Readonly<Record<string, string>>) => void
}

/** What somebody else has saved of the connection, beside what was typed. */
export const SsoTheirs = ({ met, words, fields, change }: Props) => {
  const { t } = useLanguage()
  const roleOf = (role: string) => t(`role.${givenRoles.find((one) => one === role) ?? 'interviewer'}`)
  const all: readonly NamedField[] = [
    ...fields,
    { name: 'defaultRole', label: t('connectionsDefaultRole'), show: roleOf },
    {
      name: 'mapping',
      label: t('connectionsMapping'),
      show: (text) =>
        mappedOf(text)
          .map(({ value, role }) => `${value}: ${roleOf(role)}`)
          .join(', '),
    },
  ]
  return <TheirValues met={met} words={words} fields={all} onChange={change} />
}
