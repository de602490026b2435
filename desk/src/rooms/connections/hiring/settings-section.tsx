import { ChoiceField, LineField, WordsField } from '@integrity/shared-ui/web/fields'
import { Section } from '@integrity/shared-ui/web/section'
import { useDesk } from '../../../parts/desk-context.ts'
import { useLanguage } from '../../../parts/language.ts'
import { type NamedField, TheirValues } from '../../../parts/their-values.tsx'
import { useAttempt } from '../../../parts/use-attempt.ts'
import { useEndpoint } from '../../../parts/use-endpoint.ts'
import { useSettingsDraft } from '../../../parts/use-settings-draft.ts'
import { useTheirs } from '../../../parts/use-theirs.ts'
import { SettingsForm } from '../parts/settings-form.tsx'
import { Tick } from '../parts/tick.tsx'
import { type Ats, labels, policiesOf, pushes, type SettingsWords, settingsOf, settingsWordsOf } from './ats-words.ts'
import { PolicyMapping } from './policy-mapping.tsx'

interface FieldsProps {
  /** Greenhouse asks for interviews as tests, by the policy that somebody chose there: no stage does anything here. */
  readonly isAsked: boolean
  readonly words: SettingsWords
  readonly at: (path: string) => string | undefined
  readonly change: (part: Partial<SettingsWords>) => void
}

const useKnownPolicies = () => {
  const { org } = useDesk()
  const { state } = useEndpoint('portal.policies.list', { params: { orgId: org.id }, query: { limit: 100 } })
  const known = state.name === 'there' ? state.data.items : []
  return known.map(({ id, name }) => ({ value: id, label: name }))
}

const useSystemSettings = (ats: Ats) => {
  const { own, org } = useDesk()
  const draft = useSettingsDraft(`system ${ats.id}`, settingsWordsOf(ats))
  const attempt = useAttempt('portal.ats.list')
  const theirs = useTheirs(draft, settingsWordsOf(ats), 'base')
  const save = () =>
    attempt.attempt(() => {
      const params = { orgId: org.id, configId: ats.id }
      const update = async () => {
        const { label, base } = draft.words
        const body = { label, settings: settingsOf(draft.words), expectedVersion: Number(base) }
        const { data } = await own.call('portal.ats.update', { params, body })
        draft.settle(settingsWordsOf(data))
        theirs.settle(settingsWordsOf(data))
      }
      return theirs.guard(update, async () => {
        const { items } = (await own.call('portal.ats.list', { params: { orgId: org.id }, query: {} })).data
        return settingsWordsOf(items.find(({ id }) => id === ats.id) ?? ats)
      })
    })
  return { draft, attempt, theirs, save }
}

const useNamedFields = (): readonly NamedField[] => {
  const { t } = useLanguage()
  const policies = useKnownPolicies()
  const nameOf = (id: string) => policies.find(({ value }) => value === id)?.label ?? id
  return [
    { name: 'label', label: t('connectionsLabel') },
    { name: 'stages', label: t('connectionsStages') },
    { name: 'invite', label: t('connectionsInvite'), show: (on) => t(on === 'yes' ? 'theirsOn' : 'theirsOff') },
    { name: 'policyId', label: t('connectionsPolicy'), show: nameOf },
    {
      name: 'policies',
      label: t('connectionsPolicies'),
      show: (text) =>
        policiesOf(text)
          .map(({ stage, policyId }) => `${stage}: ${nameOf(policyId)}`)
          .join(', '),
    },
    {
      name: 'candidate',
      label: t('connectionsCandidate'),
      show: (value) => t(`connectionsCandidate.${labels.find((one) => one === value) ?? 'name'}`),
    },
    {
      name: 'push',
      label: t('connectionsPush'),
      show: (text) =>
        pushes
          .filter((one) => text.split(' ').includes(one))
          .map((one) => t(`connectionsPush.${one}`))
          .join(', '),
    },
  ]
}

const StageFields = ({ isAsked, words, at, change }: FieldsProps) => {
  const { t } = useLanguage()
  return (
    <>
      <LineField
        name="label"
        label={t('connectionsLabel')}
        value={words.label}
        onChange={(label) => change({ label })}
        error={at('label')}
        maxLength={100}
      />
      {isAsked ? (
        <p>{t('connectionsAsked')}</p>
      ) : (
        <WordsField
          name="stages"
          label={t('connectionsStages')}
          help={t('connectionsStagesHelp')}
          value={words.stages}
          onChange={(stages) => change({ stages })}
          error={at('settings.triggerStages')}
          maxLength={11_000}
        />
      )}
      <Tick
        label={t('connectionsInvite')}
        checked={words.invite === 'yes'}
        onChange={(on) => change({ invite: on ? 'yes' : '' })}
      />
    </>
  )
}

const PushFields = ({ isAsked, words, change }: FieldsProps) => {
  const { t } = useLanguage()
  const chosen = words.push.split(' ')
  const set = (name: string, on: boolean) =>
    change({ push: pushes.filter((one) => (one === name ? on : chosen.includes(one))).join(' ') })
  return (
    <fieldset>
      <legend>{t('connectionsPush')}</legend>
      {pushes
        .filter((name) => !isAsked || name !== 'scheduled')
        .map((name) => (
          <Tick
            key={name}
            label={t(`connectionsPush.${name}`)}
            checked={chosen.includes(name)}
            onChange={(on) => set(name, on)}
          />
        ))}
    </fieldset>
  )
}

const CandidateField = ({ words, at, change }: FieldsProps) => {
  const { t } = useLanguage()
  return (
    <ChoiceField
      name="candidate"
      label={t('connectionsCandidate')}
      value={words.candidate}
      options={labels.map((value) => ({ value, label: t(`connectionsCandidate.${value}`) }))}
      onChange={(candidate) => change({ candidate })}
      error={at('settings.mapping.label')}
    />
  )
}

const PolicyFields = ({ words, at, change }: FieldsProps) => {
  const { t } = useLanguage()
  const options = useKnownPolicies()
  return (
    <>
      <ChoiceField
        name="policyId"
        label={t('connectionsPolicy')}
        value={words.policyId}
        options={[{ value: '', label: t('connectionsNoPolicy') }, ...options]}
        onChange={(policyId) => change({ policyId })}
        error={at('settings.policyId')}
      />
      <PolicyMapping
        text={words.policies}
        options={options}
        error={at('settings.mapping.policies')}
        onChange={(policies) => change({ policies })}
      />
    </>
  )
}

const atFields = [
  'label',
  ...['triggerStages', 'policyId', 'mapping.policies', 'mapping.label'].map((name) => `settings.${name}`),
]

/** What a stage there does here, and what is written there. */
export const SettingsSection = ({ ats }: { readonly ats: Ats }) => {
  const { t } = useLanguage()
  const { draft, attempt, theirs, save } = useSystemSettings(ats)
  const named = useNamedFields()
  const isAsked = ats.provider === 'greenhouse_assessment'
  const fields = { isAsked, words: draft.words, at: attempt.at, change: draft.change }
  return (
    <Section title={t('connectionsSettings')}>
      <SettingsForm
        of={attempt}
        theirs={<TheirValues met={theirs.met} words={draft.words} fields={named} onChange={draft.change} />}
        fields={atFields}
        submit={t('connectionsSave')}
        done={t('connectionsSaved')}
        onSubmit={save}
      >
        <StageFields {...fields} />
        {isAsked ? null : <PolicyFields {...fields} />}
        <CandidateField {...fields} />
        <PushFields {...fields} />
      </SettingsForm>
    </Section>
  )
}
