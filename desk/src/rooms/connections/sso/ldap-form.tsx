import { ExactField, PasswordField } from '@integrity/shared-ui/web/fields'
import { useLanguage } from '../../../parts/language.ts'
import { SettingsForm } from '../parts/settings-form.tsx'
import { Tick } from '../parts/tick.tsx'
import { RolesFields } from './roles-fields.tsx'
import { SsoTheirs } from './sso-theirs.tsx'
import { ldapBodyOf, ldapWordsOf, type ShownConnection } from './sso-words.ts'
import { useSsoForm } from './use-sso-form.ts'

const lines = ['url', 'bindDn', 'baseDn', 'userFilter', 'groupFilter'] as const

interface Props {
  readonly shown: ShownConnection
  readonly ask: { readonly title: string; readonly text: string } | undefined
  readonly onSaved: () => void
}

const atFields = [...lines, 'bindPassword', 'startTls', 'defaultRole', 'roleMapping']

/** A connection to a directory by LDAP. Its password is typed each time: the service shows it to nobody. */
export const LdapForm = ({ shown, ask, onSaved }: Props) => {
  const { t } = useLanguage()
  const words = ldapWordsOf(shown)
  const { draft, attempt, met, save } = useSsoForm({
    kind: 'ldap',
    words,
    wordsOf: ldapWordsOf,
    bodyOf: ldapBodyOf,
    onSaved,
  })
  const named = [
    ...lines.map((name) => ({ name, label: t(`connectionsLdap.${name}`) })),
    {
      name: 'startTls',
      label: t('connectionsLdap.startTls'),
      show: (on: string) => t(on === 'yes' ? 'theirsOn' : 'theirsOff'),
    },
  ]
  const { at } = attempt
  return (
    <SettingsForm
      of={attempt}
      fields={atFields}
      submit={t('connectionsSsoSave')}
      ask={ask}
      theirs={<SsoTheirs met={met} words={draft.words} fields={named} change={draft.change} />}
      onSubmit={save}
    >
      {lines.map((name) => (
        <ExactField
          key={name}
          name={name}
          label={t(`connectionsLdap.${name}`)}
          help={t(`connectionsLdapHelp.${name}`)}
          value={draft.words[name]}
          onChange={(value) => draft.change({ [name]: value })}
          error={at(name)}
          optional={name === 'groupFilter'}
          maxLength={1000}
        />
      ))}
      <PasswordField
        name="bindPassword"
        label={t('connectionsLdap.bindPassword')}
        help={t('connectionsLdapHelp.bindPassword')}
        value={draft.words.bindPassword}
        onChange={(bindPassword) => draft.change({ bindPassword })}
        error={at('bindPassword')}
        isNew
      />
      <Tick
        label={t('connectionsLdap.startTls')}
        checked={draft.words.startTls === 'yes'}
        onChange={(on) => draft.change({ startTls: on ? 'yes' : '' })}
      />
      {at('startTls') ? <p className="wrong">{at('startTls')}</p> : null}
      <RolesFields words={draft.words} at={at} change={draft.change} />
    </SettingsForm>
  )
}
