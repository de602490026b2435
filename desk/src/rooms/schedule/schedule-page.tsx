import { minutesWords } from '@integrity/shared-ui/session/appointment-times'
import { Actions, Button } from '@integrity/shared-ui/web/button'
import { ChoiceField, EmailField, focusField, LineField, TimeField } from '@integrity/shared-ui/web/fields'
import { SendProblemNotice } from '@integrity/shared-ui/web/send-problem'
import { Notice, Page } from '@integrity/shared-ui/web/shell'
import { useLocale } from '@integrity/shared-ui/web/spoken'
import type { FormEvent } from 'react'
import { concernsOf, instantOf } from '../../data/appointment.ts'
import { timeZones } from '../../data/time-zones.ts'
import { useDesk } from '../../parts/desk-context.ts'
import { useLanguage } from '../../parts/language.ts'
import { useScheduling, type Words, type Wrong } from './use-scheduling.ts'

const lengths = [30, 45, 60, 90, 120, 180]

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

const WhenFields = ({ words, wrong, change }: FieldsProps) => {
  const { t } = useLanguage()
  const locale = useLocale()
  const zones = timeZones(Intl.supportedValuesOf('timeZone'), words.zone)
  return (
    <>
      <TimeField
        name="date"
        type="date"
        label={t('dateLabel')}
        value={words.date}
        onChange={(date) => change({ date })}
        error={wrong === 'time' ? t('timeWrong') : undefined}
      />
      <TimeField
        name="time"
        type="time"
        label={t('timeLabel')}
        value={words.time}
        onChange={(time) => change({ time })}
      />
      <ChoiceField
        name="zone"
        label={t('zoneLabel')}
        value={words.zone}
        options={zones.map((value) => ({ value, label: value.replaceAll('_', ' ') }))}
        onChange={(zone) => change({ zone })}
      />
      <ChoiceField
        name="minutes"
        label={t('lengthLabel')}
        value={words.minutes}
        options={lengths.map((minutes) => ({ value: String(minutes), label: minutesWords(minutes, locale) }))}
        onChange={(minutes) => change({ minutes })}
      />
    </>
  )
}

/** What to look at again, said before it is sent; it is allowed all the same. */
const Concerns = ({ words: { date, time, zone } }: Pick<FieldsProps, 'words'>) => {
  const { t } = useLanguage()
  const { now } = useDesk()
  const at = instantOf(zone, { date, time })
  const concerns = at === undefined ? [] : concernsOf(zone, at, now())
  return (
    <div role="status">
      {concerns.length === 0 ? null : <Notice>{concerns.map((concern) => t(`concern.${concern}`)).join(' ')}</Notice>}
    </div>
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
        <WhenFields {...fields} />
        <Concerns words={draft.words} />
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
