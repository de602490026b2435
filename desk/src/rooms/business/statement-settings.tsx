import { useDraft } from '@integrity/shared-ui/hooks/use-draft'
import { Actions, Button } from '@integrity/shared-ui/web/button'
import { ChoiceField, ExactField, LineField, WordsField } from '@integrity/shared-ui/web/fields'
import { Section } from '@integrity/shared-ui/web/section'
import type { FormEvent } from 'react'
import type { ReadResult } from '../../data/desk-api.ts'
import { useDesk } from '../../parts/desk-context.ts'
import { useLanguage } from '../../parts/language.ts'
import { Loaded } from '../../parts/loaded.tsx'
import { Outcome } from '../../parts/outcome.tsx'
import { useAttempt } from '../../parts/use-attempt.ts'
import { useEndpoint } from '../../parts/use-endpoint.ts'

type Settings = ReadResult<'portal.orgs.get'>['dataProtection']

const bases = ['consent', 'contract', 'legal_obligation', 'legitimate_interests', 'public_task'] as const
const fields = ['controller', 'lawfulBasis', 'contact', 'alternative'] as const

const wordsOf = ({ controller = '', lawfulBasis, contact = '', alternative = '' }: Settings) => ({
  ...{ controller, contact, alternative },
  lawfulBasis: lawfulBasis ?? 'none',
})
type Words = ReturnType<typeof wordsOf>

/** What is empty is left out, which unsets it. */
const bodyOf = ({ controller, lawfulBasis, contact, alternative }: Record<keyof Words, string>) => {
  const basis = bases.find((one) => one === lawfulBasis)
  return {
    ...(controller.trim() && { controller: controller.trim() }),
    ...(basis && { lawfulBasis: basis }),
    ...(contact.trim() && { contact: contact.trim() }),
    ...(alternative.trim() && { alternative: alternative.trim() }),
  }
}

interface FieldsProps {
  readonly words: Record<keyof Words, string>
  readonly change: (part: Partial<Record<keyof Words, string>>) => void
  readonly at: (path: string) => string | undefined
}

const SettingsFields = ({ words, change, at }: FieldsProps) => {
  const { t } = useLanguage()
  const options = (['none', ...bases] as const).map((value) => ({ value, label: t(`statementBasis.${value}`) }))
  const field = <Name extends keyof Words>(name: Name) => ({
    name,
    value: words[name],
    onChange: (value: string) => change({ [name]: value }),
    error: at(name),
  })
  return (
    <>
      <LineField {...field('controller')} optional label={t('statementController')} maxLength={300} />
      <ChoiceField {...field('lawfulBasis')} label={t('statementBasis')} options={options} />
      <ExactField
        {...field('contact')}
        optional
        label={t('statementContact')}
        help={t('statementContactHelp')}
        maxLength={300}
      />
      <WordsField
        {...field('alternative')}
        optional
        label={t('statementAlternative')}
        help={t('statementAlternativeHelp')}
        maxLength={500}
      />
    </>
  )
}

const SettingsForm = ({ settings }: { readonly settings: Settings }) => {
  const { t } = useLanguage()
  const { own, org, person, pageMemory } = useDesk()
  const name = `statement ${person.user.id} ${org.id} ${settings.updatedAt ?? ''}`
  const draft = useDraft<Record<keyof Words, string>>(name, wordsOf(settings), pageMemory)
  const saving = useAttempt('portal.orgs.get', 'portal.compliance.sentences')
  const submit = (event: FormEvent) => {
    event.preventDefault()
    const body = bodyOf(draft.words)
    saving.attempt(() => own.call('portal.orgs.dataProtection.set', { params: { orgId: org.id }, body }))
  }
  return (
    <form noValidate onSubmit={submit}>
      <SettingsFields words={draft.words} change={draft.change} at={saving.at} />
      <Outcome of={saving} fields={fields} done={t('statementSaved')} />
      <Actions>
        <Button type="submit" busy={saving.busy}>
          {t('statementSave')}
        </Button>
      </Actions>
    </form>
  )
}

/** What candidates read of who answers for their data. */
export const StatementSettings = () => {
  const { t } = useLanguage()
  const { org } = useDesk()
  const detail = useEndpoint('portal.orgs.get', { params: { orgId: org.id } })
  return (
    <Section title={t('statementSettings')}>
      <p>{t('statementSettingsText')}</p>
      <Loaded question={detail}>{({ dataProtection }) => <SettingsForm settings={dataProtection} />}</Loaded>
    </Section>
  )
}
