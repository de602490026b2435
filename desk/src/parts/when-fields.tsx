import { minutesWords } from '@integrity/shared-ui/session/appointment-times'
import { ChoiceField, TimeField } from '@integrity/shared-ui/web/fields'
import { Notice } from '@integrity/shared-ui/web/shell'
import { useLocale } from '@integrity/shared-ui/web/spoken'
import { concernsOf, instantOf } from '../data/appointment.ts'
import { timeZones } from '../data/time-zones.ts'
import { useDesk } from './desk-context.ts'
import { useLanguage } from './language.ts'

const lengths = [30, 45, 60, 90, 120, 180]

/** An appointment as it is typed: by the clocks of the candidate. */
export interface WhenWords {
  readonly date: string
  readonly time: string
  readonly zone: string
  readonly minutes: string
}

interface Props {
  readonly words: WhenWords
  readonly isWrong: boolean
  readonly change: (part: Partial<WhenWords>) => void
}

/** What to look at again, said before it is sent; it is allowed all the same. */
const Concerns = ({ words: { date, time, zone } }: Pick<Props, 'words'>) => {
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

/** When an interview takes place, in the zone of its candidate. */
export const WhenFields = ({ words, isWrong, change }: Props) => {
  const { t } = useLanguage()
  const locale = useLocale()
  const zones = timeZones(Intl.supportedValuesOf('timeZone'), words.zone)
  const offered = [...new Set([...lengths, Number(words.minutes)])].sort((a, b) => a - b)
  return (
    <>
      <TimeField
        name="date"
        type="date"
        label={t('dateLabel')}
        value={words.date}
        onChange={(date) => change({ date })}
        error={isWrong ? t('timeWrong') : undefined}
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
        options={offered.map((minutes) => ({ value: String(minutes), label: minutesWords(minutes, locale) }))}
        onChange={(minutes) => change({ minutes })}
      />
      <Concerns words={words} />
    </>
  )
}
