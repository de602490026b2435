import { ChoiceField } from '@integrity/shared-ui/web/fields'
import { useLanguage } from '../../../parts/language.ts'
import { RoleMapping } from './role-mapping.tsx'
import { givenRoles } from './sso-words.ts'

interface Props {
  readonly words: { readonly defaultRole: string; readonly mapping: string }
  readonly at: (path: string) => string | undefined
  readonly change: (part: { readonly defaultRole?: string; readonly mapping?: string }) => void
}

/** Which role somebody gets who comes by this connection. */
export const RolesFields = ({ words, at, change }: Props) => {
  const { t } = useLanguage()
  return (
    <>
      <ChoiceField
        name="defaultRole"
        label={t('connectionsDefaultRole')}
        help={t('connectionsDefaultRoleHelp')}
        value={words.defaultRole}
        options={givenRoles.map((role) => ({ value: role, label: t(`role.${role}`) }))}
        onChange={(defaultRole) => change({ defaultRole })}
        error={at('defaultRole')}
      />
      <RoleMapping text={words.mapping} error={at('roleMapping')} onChange={(mapping) => change({ mapping })} />
    </>
  )
}
