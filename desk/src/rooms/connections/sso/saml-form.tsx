import { ExactField, WordsField } from '@integrity/shared-ui/web/fields'
import { useLanguage } from '../../../parts/language.ts'
import type { Attempt } from '../../../parts/use-attempt.ts'
import { SettingsForm } from '../parts/settings-form.tsx'
import { Tick } from '../parts/tick.tsx'
import { RolesFields } from './roles-fields.tsx'
import { SsoTheirs } from './sso-theirs.tsx'
import { type SamlWords, type ShownConnection, samlBodyOf, samlWordsOf } from './sso-words.ts'
import { useSsoForm } from './use-sso-form.ts'

interface FieldsProps {
  readonly words: SamlWords
  readonly at: Attempt['at']
  readonly change: (part: Partial<SamlWords>) => void
}

const addresses = ['idpEntityId', 'idpSsoUrl', 'idpSloUrl'] as const
const attributes = ['id', 'email', 'name', 'role'] as const

const ProviderFields = ({ words, at, change }: FieldsProps) => {
  const { t } = useLanguage()
  return (
    <>
      {addresses.map((name) => (
        <ExactField
          key={name}
          name={name}
          label={t(`connectionsSaml.${name}`)}
          help={t(`connectionsSamlHelp.${name}`)}
          value={words[name]}
          onChange={(value) => change({ [name]: value })}
          error={at(name)}
          optional={name === 'idpSloUrl'}
          maxLength={1024}
        />
      ))}
      <WordsField
        name="certificates"
        label={t('connectionsSaml.certificates')}
        help={t('connectionsSamlHelp.certificates')}
        value={words.certificates}
        onChange={(certificates) => change({ certificates })}
        error={at('idpCertificates')}
        maxLength={70_000}
      />
    </>
  )
}

const AttributeFields = ({ words, at, change }: FieldsProps) => {
  const { t } = useLanguage()
  return (
    <details>
      <summary>{t('connectionsAttributes')}</summary>
      <p className="small">{t('connectionsAttributesText')}</p>
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
      <Tick
        label={t('connectionsSignRequests')}
        checked={words.signRequests === 'yes'}
        onChange={(on) => change({ signRequests: on ? 'yes' : '' })}
      />
    </details>
  )
}

interface Props {
  readonly shown: ShownConnection
  /** Asked before it takes the place of another connection. */
  readonly ask: { readonly title: string; readonly text: string } | undefined
  readonly onSaved: () => void
}

const ofAttributes = attributes.map((name) => `attributes.${name}`)
const atFields = [...addresses, ...ofAttributes, 'idpCertificates', 'defaultRole', 'roleMapping']

/** A connection to an identity provider by SAML. */
export const SamlForm = ({ shown, ask, onSaved }: Props) => {
  const { t } = useLanguage()
  const words = samlWordsOf(shown)
  const { draft, attempt, met, save } = useSsoForm({
    kind: 'saml',
    words,
    wordsOf: samlWordsOf,
    bodyOf: samlBodyOf,
    onSaved,
  })
  const named = [
    ...addresses.map((name) => ({ name, label: t(`connectionsSaml.${name}`) })),
    ...attributes.map((name) => ({ name, label: t(`connectionsAttribute.${name}`) })),
    {
      name: 'signRequests',
      label: t('connectionsSignRequests'),
      show: (on: string) => t(on === 'yes' ? 'theirsOn' : 'theirsOff'),
    },
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
      <ProviderFields {...fields} />
      <AttributeFields {...fields} />
      <RolesFields {...fields} />
    </SettingsForm>
  )
}
