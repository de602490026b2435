import { Actions, Button } from '@integrity/shared-ui/web/button'
import { ChoiceField, EmailField, focusField, LineField } from '@integrity/shared-ui/web/fields'
import { SendProblemNotice } from '@integrity/shared-ui/web/send-problem'
import { Page } from '@integrity/shared-ui/web/shell'
import type { FormEvent } from 'react'
import { useDesk } from '../../parts/desk-context.ts'
import { useLanguage } from '../../parts/language.ts'
import { useEndpoint } from '../../parts/use-endpoint.ts'
import { WhenFields } from '../../parts/when-fields.tsx'
import { deskLanguages } from '../../words/desk.ts'
import { Previews } from './previews.tsx'
import { useScheduling, type Words, type Wrong } from './use-scheduling.ts'

interface FieldsProps {
  readonly words: Words
  readonly wrong: Wrong | undefined
  readonly change: (part: Partial<Words>) => void
}

const WhoFields = ({ words, wrong, change }: FieldsProps) => {
  const { t } = useLanguage()
  return (
    <>
      <LineField
        name="name"
        label={t('candidateName')}
        value={words.name}
        onChange={(name) => change({ name })}
        error={wrong === 'name' ? t('candidateNameMissing') : undefined}
        maxLength={200}
      />
      <LineField
        name="reference"
        label={t('referenceLabel')}
        value={words.reference}
        onChange={(reference) => change({ reference })}
        optional
        maxLength={200}
      />
    </>
  )
}

/** What the interview is recorded by, and how the candidate is written to. */
const HowFields = ({ words: { policy, locale, voices }, change }: FieldsProps) => {
  const { t } = useLanguage()
  const { org } = useDesk()
  const { state } = useEndpoint('portal.policies.list', { params: { orgId: org.id }, query: { limit: 100 } })
  const policies = state.name === 'there' ? state.data.items : []
  const none = { value: '', label: t('recordedPolicyNone') }
  return (
    <>
      <ChoiceField
        name="locale"
        label={t('recordedLanguage')}
        value={locale}
        options={deskLanguages.map(({ code, name }) => ({ value: code, label: name }))}
        onChange={(chosen) => change({ locale: chosen })}
      />
      <ChoiceField
        name="policy"
        label={t('recordedPolicy')}
        value={policy}
        options={[none, ...policies.map(({ id, name }) => ({ value: id, label: name }))]}
        onChange={(chosen) => change({ policy: chosen })}
      />
      <ChoiceField
        name="voices"
        label={t('recordedVoices')}
        value={voices}
        options={[
          { value: '', label: t('recordedVoicesPolicy') },
          { value: 'candidate', label: t('recordedVoicesCandidate') },
        ]}
        onChange={(chosen) => change({ voices: chosen })}
      />
    </>
  )
}

/** A new interview: who, when by the candidate's clocks, and a letter to them. */
export const SchedulePage = () => {
  const { t } = useLanguage()
  const { busy, problem, draft, wrong, schedule } = useScheduling()
  const fields = { words: draft.words, wrong, change: draft.change }
  const submit = (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault()
    const found = schedule()
    if (found) focusField(event.currentTarget, found === 'time' ? 'date' : found)
  }
  return (
    <Page title={t('scheduleTitle')} wide>
      <p>{t('scheduleText')}</p>
      <div className="form-beside">
        <form noValidate onSubmit={submit}>
          <WhoFields {...fields} />
          <WhenFields words={draft.words} isWrong={wrong === 'time'} change={draft.change} />
          <HowFields {...fields} />
          <EmailField
            name="email"
            label={t('inviteLabel')}
            help={t('inviteHelp')}
            value={draft.words.email}
            onChange={(email) => draft.change({ email })}
            error={wrong === 'email' ? t('inviteWrong') : undefined}
            optional
          />
          <SendProblemNotice problem={problem} />
          <Actions>
            <Button type="submit" kind="main" busy={busy}>
              {t(busy ? 'sending' : 'scheduleSave')}
            </Button>
          </Actions>
        </form>
        <Previews words={draft.words} />
      </div>
    </Page>
  )
}
