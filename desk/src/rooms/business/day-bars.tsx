import { useLocale } from '@integrity/shared-ui/web/spoken'
import { useState } from 'react'
import { useLanguage } from '../../parts/language.ts'
import { barsOf, type Day, mostOf, plotHeight, plotWidth } from './bars.ts'
import { utcDay } from './times.ts'

interface Props {
  readonly title: string
  readonly days: readonly Day[]
  /** What the values above, and those below, are called. */
  readonly up: string
  readonly down?: string
  /** A value in words. */
  readonly words: (value: number) => string
}

/** The values of the plot, for whoever reads rather than looks. A year has many days: they are there once asked for. */
const DayTable = ({ title, days, up, down, words }: Props) => {
  const { t } = useLanguage()
  const locale = useLocale()
  const [shown, setShown] = useState(false)
  return (
    <details onToggle={({ currentTarget }) => setShown(currentTarget.open)}>
      <summary>{t('businessAsTable', { title })}</summary>
      {shown ? (
        <table className="list">
          <caption className="unseen">{title}</caption>
          <thead>
            <tr>
              <th scope="col">{t('businessDayUtc')}</th>
              <th scope="col">{up}</th>
              {down === undefined ? null : <th scope="col">{down}</th>}
            </tr>
          </thead>
          <tbody>
            {days.map((day) => (
              <tr key={day.date}>
                <th scope="row">{utcDay(day.date, locale)}</th>
                <td>{words(day.up)}</td>
                {down === undefined ? null : <td>{words(day.down ?? 0)}</td>}
              </tr>
            ))}
          </tbody>
        </table>
      ) : null}
    </details>
  )
}

/** A bar for each day, and the same as a table. */
export const DayBars = (props: Props) => {
  const { t } = useLanguage()
  const locale = useLocale()
  const { title, days, up, down, words } = props
  const [first, last] = [days[0], days.at(-1)]
  if (!first || !last) return null
  const most = words(mostOf(days))
  const height = plotHeight(days)
  const legend = down === undefined ? up : t('businessAboveBelow', { up, down })
  const [from, to] = [utcDay(first.date, locale), utcDay(last.date, locale)]
  return (
    <figure className="plot">
      <figcaption>
        {legend}. {t('businessMost', { most })}
      </figcaption>
      <svg
        role="img"
        aria-label={t('businessPlot', { title, from, to, most })}
        viewBox={`0 0 ${plotWidth} ${height}`}
        preserveAspectRatio="none"
      >
        {barsOf(days).map(({ key, ...bar }) => (
          <rect key={key} {...bar} />
        ))}
        <line x1="0" x2={plotWidth} y1="100" y2="100" />
      </svg>
      <p className="ends small">
        <span>{from}</span>
        <span>{to}</span>
      </p>
      <DayTable {...props} />
    </figure>
  )
}
