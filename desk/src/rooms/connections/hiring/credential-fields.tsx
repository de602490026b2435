import { ChoiceField, ExactField, PasswordField } from '@integrity/shared-ui/web/fields'
import { useLanguage } from '../../../parts/language.ts'
import {
  type Capability,
  type CredentialName,
  type CredentialWords,
  isCredential,
  optionalNames,
  regions,
  secretNames,
} from './ats-words.ts'

interface Props {
  readonly of: Capability
  readonly words: CredentialWords
  readonly at: (path: string) => string | undefined
  readonly change: (part: Partial<CredentialWords>) => void
}

const Field = ({ of, words, at, change, name }: Props & { readonly name: CredentialName }) => {
  const { t } = useLanguage()
  const field = {
    name,
    label: t(`connectionsCredential.${name}`),
    value: words[name],
    onChange: (value: string) => change({ [name]: value }),
    error: at(`credentials.${name}`),
  }
  if (name === 'region' && (of.provider === 'lever' || of.provider === 'teamtailor')) {
    const options = ['', ...regions[of.provider]].map((value) => ({
      value,
      label: value === '' ? t('connectionsRegionUsual') : value,
    }))
    return <ChoiceField {...field} options={options} />
  }
  if (secretNames.includes(name))
    return (
      <PasswordField
        {...field}
        isNew
        isSecret
        help={t('connectionsSecretHelp')}
        optional={optionalNames.includes(name)}
      />
    )
  return <ExactField {...field} maxLength={2000} />
}

/** What a provider needs, each field in words. The service shows none of it again. */
export const CredentialFields = (props: Props) => (
  <>
    {props.of.credentials.filter(isCredential).map((name) => (
      <Field key={name} name={name} {...props} />
    ))}
  </>
)
