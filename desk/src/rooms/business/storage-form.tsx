import { useDraft } from '@integrity/shared-ui/hooks/use-draft'
import { Actions, Button } from '@integrity/shared-ui/web/button'
import { ChoiceField, ExactField, PasswordField } from '@integrity/shared-ui/web/fields'
import { Section } from '@integrity/shared-ui/web/section'
import { type FormEvent, useState } from 'react'
import type { ReadResult } from '../../data/desk-api.ts'
import { useDesk } from '../../parts/desk-context.ts'
import { useLanguage } from '../../parts/language.ts'
import { Outcome } from '../../parts/outcome.tsx'
import { type NamedField, TheirValues } from '../../parts/their-values.tsx'
import { type Attempt, useAttempt } from '../../parts/use-attempt.ts'
import { useSeen } from '../../parts/use-seen.ts'
import {
  bodyOf,
  emptyStorage,
  fieldsOf,
  providers,
  type StorageWords,
  secretsOf,
  storageWordsOf,
} from './storage-words.ts'

type Secrets = Readonly<Record<string, string>>

interface FieldsProps {
  readonly words: StorageWords
  readonly change: (part: Readonly<Record<string, string>>) => void
  readonly at: Attempt['at']
}

const PlainFields = ({ words, change, at }: FieldsProps) => {
  const { t } = useLanguage()
  return fieldsOf(words.provider).map(({ name, label, help, optional = false }) => (
    <ExactField
      key={`${words.provider} ${name}`}
      {...{ name, optional }}
      label={t(label)}
      help={help && t(help)}
      value={words[name] ?? ''}
      onChange={(value) => change({ [name]: value.trim() })}
      error={at(name)}
      maxLength={300}
    />
  ))
}

interface SecretProps {
  readonly provider: string
  readonly secrets: Secrets
  readonly onChange: (secrets: Secrets) => void
  readonly at: Attempt['at']
}

const SecretFields = ({ provider, secrets, onChange, at }: SecretProps) => {
  const { t } = useLanguage()
  return secretsOf(provider).map(({ name, label }) => (
    <PasswordField
      isSecret
      key={`${provider} ${name}`}
      isNew
      name={name}
      label={t(label)}
      help={t('businessSecretHelp')}
      value={secrets[name] ?? ''}
      onChange={(value) => onChange({ ...secrets, [name]: value })}
      error={at(name)}
    />
  ))
}

interface Props {
  /** The storage in use; undefined until it is known. */
  readonly storage: ReadResult<'portal.storage.get'> | undefined
}

/** The fields of every kind of storage, in the words of the form. */
const useNamedFields = (): readonly NamedField[] => {
  const { t } = useLanguage()
  const all = providers.flatMap((provider) => fieldsOf(provider))
  return [
    {
      name: 'provider',
      label: t('businessProvider'),
      show: (value) => t(`businessProvider.${providers.find((one) => one === value) ?? 'local'}`),
    },
    ...all
      .filter(({ name }, at) => all.findIndex((other) => other.name === name) === at)
      .map(({ name, label }) => ({ name, label: t(label) })),
  ]
}

/**
 * Chooses another storage. What is typed outlives a refusal and a new sign-in; secrets stay in the form alone.
 * The form warns whoever would save over somebody else's newer choice, and lets them save again.
 */
export const StorageForm = ({ storage }: Props) => {
  const { t } = useLanguage()
  const { own, org, person, pageMemory } = useDesk()
  const seen = useSeen(storage?.version)
  const named = useNamedFields()
  const draft = useDraft<StorageWords>(`storage ${person.user.id} ${org.id}`, emptyStorage, pageMemory)
  const [secrets, setSecrets] = useState<Secrets>({})
  const attempt = useAttempt('portal.storage.get', 'portal.storage.migration')
  const [{ words }, { at, busy }] = [draft, attempt]
  const [mine, setMine] = useState(words)
  const met = seen.isOvertaken && storage ? { mine, theirs: storageWordsOf(storage) } : undefined
  const choose = async () => {
    const body = { ...bodyOf(words, secrets), expectedVersion: seen.expected }
    setMine(words)
    await seen.guard(own.call('portal.storage.put', { params: { orgId: org.id }, body, timeoutMs: 120_000 }))
    draft.clear()
    setSecrets({})
  }
  const submit = (event: FormEvent) => {
    event.preventDefault()
    attempt.attempt(choose)
  }
  const options = providers.map((value) => ({ value, label: t(`businessProvider.${value}`) }))
  const said = [...fieldsOf(words.provider), ...secretsOf(words.provider)].map(({ name }) => name)
  return (
    <Section title={t('businessChoose')}>
      <p>{t('businessChooseText')}</p>
      <form noValidate onSubmit={submit}>
        <ChoiceField
          name="provider"
          label={t('businessProvider')}
          value={words.provider}
          options={options}
          onChange={(provider) => draft.change({ provider })}
          error={at('provider')}
        />
        <PlainFields {...{ words, at }} change={draft.change} />
        <SecretFields provider={words.provider} {...{ secrets, at }} onChange={setSecrets} />
        <TheirValues met={met} words={words} fields={named} onChange={draft.change} />
        <Outcome
          of={attempt}
          fields={['provider', ...said]}
          done={t('businessChosen')}
          conflict={t(met ? 'attemptMeanwhile' : 'businessMoving')}
        />
        <Actions>
          <Button type="submit" busy={busy}>
            {t(busy ? 'businessTrying' : 'businessChooseSave')}
          </Button>
        </Actions>
      </form>
    </Section>
  )
}
