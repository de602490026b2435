import { useDraft } from '@integrity/shared-ui/hooks/use-draft'
import { Actions, Button } from '@integrity/shared-ui/web/button'
import { ChoiceField, ExactField, PasswordField } from '@integrity/shared-ui/web/fields'
import { Section } from '@integrity/shared-ui/web/section'
import { type FormEvent, useState } from 'react'
import { useDesk } from '../../parts/desk-context.ts'
import { useLanguage } from '../../parts/language.ts'
import { Outcome } from '../../parts/outcome.tsx'
import { type Attempt, useAttempt } from '../../parts/use-attempt.ts'
import { useSeen } from '../../parts/use-seen.ts'
import { bodyOf, emptyStorage, fieldsOf, type StorageWords, secretsOf } from './storage-words.ts'

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
  /** Of the choice of the storage in use; undefined until it is known. */
  readonly version: number | undefined
}

/**
 * Chooses another storage. What is typed outlives a refusal and a new sign-in; secrets stay in the form alone. An owner
 * who saves over somebody else's newer choice is told first, and may save again.
 */
export const StorageForm = ({ version }: Props) => {
  const { t } = useLanguage()
  const { own, org, person, pageMemory } = useDesk()
  const seen = useSeen(version)
  const draft = useDraft<StorageWords>(`storage ${person.user.id} ${org.id}`, emptyStorage, pageMemory)
  const [secrets, setSecrets] = useState<Secrets>({})
  const attempt = useAttempt('portal.storage.get', 'portal.storage.migration')
  const [{ words }, { at, busy }] = [draft, attempt]
  const choose = async () => {
    const body = { ...bodyOf(words, secrets), expectedVersion: seen.expected }
    await seen.guard(own.call('portal.storage.put', { params: { orgId: org.id }, body, timeoutMs: 120_000 }))
    draft.clear()
    setSecrets({})
  }
  const submit = (event: FormEvent) => {
    event.preventDefault()
    attempt.attempt(choose)
  }
  const providers = (['local', 's3', 'azure'] as const).map((value) => ({
    value,
    label: t(`businessProvider.${value}`),
  }))
  const named = [...fieldsOf(words.provider), ...secretsOf(words.provider)].map(({ name }) => name)
  return (
    <Section title={t('businessChoose')}>
      <p>{t('businessChooseText')}</p>
      <form noValidate onSubmit={submit}>
        <ChoiceField
          name="provider"
          label={t('businessProvider')}
          value={words.provider}
          options={providers}
          onChange={(provider) => draft.change({ provider })}
          error={at('provider')}
        />
        <PlainFields {...{ words, at }} change={draft.change} />
        <SecretFields provider={words.provider} {...{ secrets, at }} onChange={setSecrets} />
        <Outcome
          of={attempt}
          fields={['provider', ...named]}
          done={t('businessChosen')}
          conflict={t(seen.isOvertaken ? 'businessOvertaken' : 'businessMoving')}
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
