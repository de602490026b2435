import { Actions, Button } from '@integrity/shared-ui/web/button'
import { ChoiceField, ExactField, LineField, WordsField } from '@integrity/shared-ui/web/fields'
import { Section } from '@integrity/shared-ui/web/section'
import type { FormEvent } from 'react'
import type { ReadResult } from '../../data/desk-api.ts'
import { useDesk } from '../../parts/desk-context.ts'
import { useLanguage } from '../../parts/language.ts'
import { Loaded } from '../../parts/loaded.tsx'
import { Outcome } from '../../parts/outcome.tsx'
import { TheirValues } from '../../parts/their-values.tsx'
import { useAttempt } from '../../parts/use-attempt.ts'
import { useEndpoint } from '../../parts/use-endpoint.ts'
import { useSettingsDraft } from '../../parts/use-settings-draft.ts'
import { useTheirs } from '../../parts/use-theirs.ts'

type Settings = ReadResult<'portal.orgs.get'>['dataProtection']

const bases = ['consent', 'contract', 'legal_obligation', 'legitimate_interests', 'public_task'] as const
const fields = ['controller', 'lawfulBasis', 'contact', 'alternative'] as const

const wordsOf = ({ version, controller = '', lawfulBasis, contact = '', alternative = '' }: Settings) => ({
  controller,
  contact,
  alternative,
  lawfulBasis: lawfulBasis ?? 'none',
  // The version that the writer has seen: another one is not overwritten unseen.
  seen: String(version),
})
type Words = ReturnType<typeof wordsOf>

/** What is empty is left out, which unsets it. */
const bodyOf = ({ controller, lawfulBasis, contact, alternative, seen }: Record<keyof Words, string>) => {
  const basis = bases.find((one) => one === lawfulBasis)
  return {
    ...(controller.trim() && { controller: controller.trim() }),
    ...(basis && { lawfulBasis: basis }),
    ...(contact.trim() && { contact: contact.trim() }),
    ...(alternative.trim() && { alternative: alternative.trim() }),
    expectedVersion: Number(seen),
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
  const { own, org } = useDesk()
  const params = { orgId: org.id }
  const draft = useSettingsDraft<Record<keyof Words, string>>(`statement ${org.id}`, wordsOf(settings))
  const saving = useAttempt('portal.orgs.get', 'portal.compliance.sentences')
  const theirs = useTheirs<Record<keyof Words, string>>(draft, wordsOf(settings), 'seen')
  const set = async () => {
    const { data } = await own.call('portal.orgs.dataProtection.set', { params, body: bodyOf(draft.words) })
    draft.settle(wordsOf(data))
    theirs.settle(wordsOf(data))
  }
  const latest = async () => wordsOf((await own.call('portal.orgs.get', { params })).data.dataProtection)
  const submit = (event: FormEvent) => {
    event.preventDefault()
    saving.attempt(() => theirs.guard(set, latest))
  }
  const named = [
    { name: 'controller', label: t('statementController') },
    {
      name: 'lawfulBasis',
      label: t('statementBasis'),
      show: (value: string) => t(`statementBasis.${bases.find((one) => one === value) ?? 'none'}`),
    },
    { name: 'contact', label: t('statementContact') },
    { name: 'alternative', label: t('statementAlternative') },
  ]
  return (
    <form noValidate onSubmit={submit}>
      <SettingsFields words={draft.words} change={draft.change} at={saving.at} />
      <TheirValues met={theirs.met} words={draft.words} fields={named} onChange={draft.change} />
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
