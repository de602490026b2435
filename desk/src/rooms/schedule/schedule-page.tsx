import { Actions, Button } from '@integrity/shared-ui/web/button'
import { EmailField, focusField, LineField } from '@integrity/shared-ui/web/fields'
import { SendProblemNotice } from '@integrity/shared-ui/web/send-problem'
import { Page } from '@integrity/shared-ui/web/shell'
import type { FormEvent } from 'react'
import { useLanguage } from '../../parts/language.ts'
import { WhenFields } from '../../parts/when-fields.tsx'
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
    <Page title={t('scheduleTitle')}>
      <p>{t('scheduleText')}</p>
      <form noValidate onSubmit={submit}>
        <WhoFields {...fields} />
        <WhenFields words={draft.words} isWrong={wrong === 'time'} change={draft.change} />
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
    </Page>
  )
}
