import { SelectField } from '@integrity/shared-ui/web/select-field'
import { useDesk } from '../../parts/desk-context.ts'
import { useLanguage } from '../../parts/language.ts'
import { boundsOf, dayOf } from './times.ts'

const dayMs = 86_400_000
const lengths = ['7', '30', '90', '365'] as const
export type Length = (typeof lengths)[number]
/** What the service counts where nothing else is asked for. */
const usual: Length = '30'

export const lengthOf = (given: string | undefined): Length => lengths.find((length) => length === given) ?? usual

/**
 * Both ends of a period, by the service's own days: `last` is the newest that it has counted. None for the usual length,
 * whose ends it chooses itself.
 */
export const periodOf = (length: Length, last: string | undefined) =>
  length === usual || last === undefined
    ? {}
    : boundsOf(dayOf(Date.parse(`${last}T00:00:00Z`) - (Number(length) - 1) * dayMs), last)

interface Props {
  readonly section: string
  readonly length: Length
}

/** How many days are shown; it is in the address. */
export const PeriodField = ({ section, length }: Props) => {
  const { t } = useLanguage()
  const { org, navigation } = useDesk()
  const choose = (days: string) =>
    navigation.go({ room: 'organisation', org: org.slug, section, query: days === usual ? {} : { days } })
  const options = lengths.map((id) => ({ id, label: t('businessDays', { days: Number(id) }) }))
  return <SelectField label={t('businessPeriod')} value={length} options={options} onChange={choose} />
}
