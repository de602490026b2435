import { ExactField, PasswordField } from '@integrity/shared-ui/web/fields'
import { useLanguage } from '../../../parts/language.ts'
import type { Attempt } from '../../../parts/use-attempt.ts'
import { SettingsForm } from '../parts/settings-form.tsx'
import { RolesFields } from './roles-fields.tsx'
import { SsoTheirs } from './sso-theirs.tsx'
import { type OidcWords, oidcBodyOf, oidcWordsOf, type ShownConnection } from './sso-words.ts'
import { useSsoForm } from './use-sso-form.ts'

const attributes = ['id', 'email', 'name', 'role'] as const
const lines = ['issuer', 'clientId', 'scopes'] as const

interface FieldsProps {
  readonly words: OidcWords
  readonly at: Attempt['at']
  readonly change: (part: Partial<OidcWords>) => void
}

const ClaimFields = ({ words, at, change }: FieldsProps) => {
  const { t } = useLanguage()
  return (
    <details>
      <summary>{t('connectionsAttributes')}</summary>
      <p className="small">{t('connectionsClaimsText')}</p>
      {attributes.map((name) => (
        <ExactField
          key={name}
          name={`attribute-${name}`}
          label={t(`connectionsAttribute.${name}`)}
          value={words[name]}
          onChange={(value) => change({ [name]: value })}
          error={at(`attributes.${name}`)}
          optional
          maxLength={200}
        />
      ))}
    </details>
  )
}

interface Props {
  readonly shown: ShownConnection
  /** Asked before it takes the place of another connection. */
  readonly ask: { readonly title: string; readonly text: string } | undefined
  readonly onSaved: () => void
}

const ofClaims = attributes.map((name) => `attributes.${name}`)
const atFields = [...lines, ...ofClaims, 'clientSecret', 'defaultRole', 'roleMapping']

/** A connection to an identity provider by OpenID Connect. Its secret is typed each time: the service shows it to nobody. */
export const OidcForm = ({ shown, ask, onSaved }: Props) => {
  const { t } = useLanguage()
  const words = oidcWordsOf(shown)
  const { draft, attempt, met, save } = useSsoForm({
    kind: 'oidc',
    words,
    wordsOf: oidcWordsOf,
    bodyOf: oidcBodyOf,
    onSaved,
  })
  const named = [
    ...lines.map((name) => ({ name, label: t(`connectionsOidc.${name}`) })),
    ...attributes.map((name) => ({ name, label: t(`connectionsAttribute.${name}`) })),
  ]
  const fields = { words: draft.words, at: attempt.at, change: draft.change }
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
          label={t(`connectionsOidc.${name}`)}
          help={t(`connectionsOidcHelp.${name}`)}
          value={draft.words[name]}
          onChange={(value) => draft.change({ [name]: value })}
          error={attempt.at(name)}
          optional={name === 'scopes'}
          maxLength={500}
        />
      ))}
      <PasswordField
        isSecret
        name="clientSecret"
        label={t('connectionsOidc.clientSecret')}
        help={t('connectionsOidcHelp.clientSecret')}
        value={draft.words.clientSecret}
        onChange={(clientSecret) => draft.change({ clientSecret })}
        error={attempt.at('clientSecret')}
        isNew
      />
      <ClaimFields {...fields} />
      <RolesFields {...fields} />
    </SettingsForm>
  )
}
