import { useLocale } from '@integrity/shared-ui/web/spoken'
import { useState } from 'react'
import { useLanguage } from '../../parts/language.ts'
import { later } from '../../parts/later.tsx'
import { type Day, mostOf } from './days.ts'
import { utcDay } from './times.ts'

/** It comes with the library that draws it, for whoever opens a page that has one. */
const DaysPlot = later(async () => (await import('./days-plot.tsx')).DaysPlot)

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
  const [pointed, setPointed] = useState<Day>()
  const { title, days, up, down, words } = props
  const [first, last] = [days[0], days.at(-1)]
  if (!first || !last) return null
  const most = words(mostOf(days))
  const legend = down === undefined ? up : t('businessAboveBelow', { up, down })
  const [from, to] = [utcDay(first.date, locale), utcDay(last.date, locale)]
  const values = (day: Day) =>
    [`${up} ${words(day.up)}`, ...(down === undefined ? [] : [`${down} ${words(day.down ?? 0)}`])].join(' · ')
  return (
    <figure className="plot">
      <figcaption>
        {legend}. {t('businessMost', { most })}
      </figcaption>
      <DaysPlot label={t('businessPlot', { title, from, to, most })} {...{ days, words }} onDay={setPointed} />
      <p className="small" aria-hidden="true">
        {pointed ? `${utcDay(pointed.date, locale)}: ${values(pointed)}` : `${from} – ${to}`}
      </p>
      <DayTable {...props} />
    </figure>
  )
}
