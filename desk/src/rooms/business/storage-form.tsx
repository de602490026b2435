import { useDraft } from '@integrity/shared-ui/hooks/use-draft'
import { Actions, Button } from '@integrity/shared-ui/web/button'
import { ChoiceField, ExactField, PasswordField } from '@integrity/shared-ui/web/fields'
import { Section } from '@integrity/shared-ui/web/section'
import { SendProblemNotice } from '@integrity/shared-ui/web/send-problem'
import { type FormEvent, useState } from 'react'
import { useDesk } from '../../parts/desk-context.ts'
import { useLanguage } from '../../parts/language.ts'
import { useWrite } from '../../parts/use-write.ts'
import { SaidBesides, type ServerWords, useServerWords } from './server-words.tsx'
import { bodyOf, emptyStorage, fieldsOf, type StorageWords, secretsOf } from './storage-words.ts'

type Secrets = Readonly<Record<string, string>>

interface FieldsProps {
  readonly words: StorageWords
  readonly change: (part: Readonly<Record<string, string>>) => void
  readonly said: ServerWords
}

const PlainFields = ({ words, change, said }: FieldsProps) => {
  const { t } = useLanguage()
  return fieldsOf(words.provider).map(({ name, label, help, optional = false }) => (
    <ExactField
      key={`${words.provider} ${name}`}
      {...{ name, optional }}
      label={t(label)}
      help={help && t(help)}
      value={words[name] ?? ''}
      onChange={(value) => change({ [name]: value.trim() })}
      error={said.at(name)}
      maxLength={300}
    />
  ))
}

interface SecretProps {
  readonly provider: string
  readonly secrets: Secrets
  readonly onChange: (secrets: Secrets) => void
  readonly said: ServerWords
}

const SecretFields = ({ provider, secrets, onChange, said }: SecretProps) => {
  const { t } = useLanguage()
  return secretsOf(provider).map(({ name, label }) => (
    <PasswordField
      key={`${provider} ${name}`}
      isNew
      name={name}
      label={t(label)}
      help={t('businessSecretHelp')}
      value={secrets[name] ?? ''}
      onChange={(value) => onChange({ ...secrets, [name]: value })}
      error={said.at(name)}
    />
  ))
}

/** Chooses another storage. What is typed outlives a refusal and a new sign-in; secrets stay in the form alone. */
export const StorageForm = () => {
  const { t } = useLanguage()
  const { own, org, person, pageMemory } = useDesk()
  const draft = useDraft<StorageWords>(`storage ${person.user.id} ${org.id}`, emptyStorage, pageMemory)
  const [secrets, setSecrets] = useState<Secrets>({})
  const [done, setDone] = useState(false)
  const said = useServerWords()
  const { busy, problem, write } = useWrite('portal.storage.get', 'portal.storage.migration')
  const { words } = draft
  const choose = async () => {
    const body = bodyOf(words, secrets)
    await own.call('portal.storage.put', { params: { orgId: org.id }, body, timeoutMs: 120_000 })
    draft.clear()
    setSecrets({})
    setDone(true)
  }
  const submit = (event: FormEvent) => {
    event.preventDefault()
    setDone(false)
    write(() => said.hear(choose))
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
          error={said.at('provider')}
        />
        <PlainFields {...{ words, said }} change={draft.change} />
        <SecretFields provider={words.provider} {...{ secrets, said }} onChange={setSecrets} />
        <SendProblemNotice problem={problem} conflict={t('businessMoving')} />
        <SaidBesides said={said.besides('provider', ...named)} />
        <p role="status">{done ? t('businessChosen') : null}</p>
        <Actions>
          <Button type="submit" busy={busy}>
            {t(busy ? 'businessTrying' : 'businessChooseSave')}
          </Button>
        </Actions>
      </form>
    </Section>
  )
}
