import { accountSentence } from '@integrity/protocol/clients/lane-words'
import { pickLanguage } from '@integrity/protocol/clients/language'
import { laneAccountTexts } from '@integrity/protocol/texts/areas/lane-account'
import { languages } from '@integrity/protocol/texts/languages'
import { Section } from '@integrity/shared-ui/web/section'
import { useLocale } from '@integrity/shared-ui/web/spoken'
import { useState } from 'react'
import type { LaneCoverage, Stretch } from '../../data/desk-api.ts'
import { axisOf, lineOf, stripOf } from '../../data/strip.ts'
import { useLanguage } from '../../parts/language.ts'
import { clockTime, spanWords } from '../../parts/spans.ts'

type Axis = NonNullable<ReturnType<typeof axisOf>>

const useStretchWords = () => {
  const { t } = useLanguage()
  return ({ state, reason }: Stretch): string =>
    state === 'gap' && reason !== null
      ? t('stretchBecause', { state: t(`account.${state}`), reason: t(`gap.${reason}`) })
      : t(`account.${state}`)
}

/** Every stretch in words. There may be hundreds, so they are there once somebody asks for them. */
const Stretches = ({ account }: { readonly account: readonly Stretch[] }) => {
  const { t } = useLanguage()
  const locale = useLocale()
  const words = useStretchWords()
  const [shown, setShown] = useState(false)
  return (
    <details onToggle={({ currentTarget }) => setShown(currentTarget.open)}>
      <summary>{t('stretches')}</summary>
      {shown ? (
        <ol>
          {account.map((stretch) => {
            const [from, to] = [clockTime(stretch.fromAt, locale), clockTime(stretch.toAt, locale)]
            return <li key={stretch.fromAt}>{t('stretch', { from, to, what: words(stretch) })}</li>
          })}
        </ol>
      ) : null}
    </details>
  )
}

/** As many are in the name of a strip; the others are in the list below it. */
const mostNamed = 8

/** What is missing of a lane, each with its time and its reason: what the strip shows to the eye. */
const useMissingWords = () => {
  const { t } = useLanguage()
  const locale = useLocale()
  const words = useStretchWords()
  return (account: readonly Stretch[]): string => {
    const missing = account.filter(({ state }) => state !== 'observed')
    const named = missing.slice(0, mostNamed).map((stretch) => {
      const [from, to] = [clockTime(stretch.fromAt, locale), clockTime(stretch.toAt, locale)]
      return t('stretch', { from, to, what: words(stretch) })
    })
    const more = missing.length - named.length
    return [...named, ...(more > 0 ? [t('stripMore', { n: more })] : [])].join('; ')
  }
}

const useLaneWords = () => {
  const { t, language } = useLanguage()
  const locale = useLocale()
  const texts = laneAccountTexts[pickLanguage<(typeof languages)[number]>(languages, [language.code]).code]
  return (lane: LaneCoverage): string => {
    const line = lineOf(lane)
    if (line !== 'account') return t(line)
    const sum = accountSentence(lane, { texts, length: (ms) => spanWords(ms, locale) })
    const count = lane.account.filter(({ state }) => state === 'agreed_break').length
    return count === 0 ? sum : t('reviewAidsTaken', { sum, count })
  }
}

const Lane = ({ lane, axis }: { readonly lane: LaneCoverage; readonly axis: Axis | undefined }) => {
  const { t } = useLanguage()
  const words = useLaneWords()(lane)
  const name = t(`lane.${lane.lane}`)
  const missing = useMissingWords()(lane.account)
  return (
    <div className="lane">
      <h3>{name}</h3>
      <p>{words}</p>
      {axis && lane.account.length > 0 ? (
        <>
          <svg
            className="strip"
            role="img"
            aria-label={[`${name}: ${words}`, missing].filter(Boolean).join(' ')}
            viewBox="0 0 1000 10"
            preserveAspectRatio="none"
          >
            {stripOf(lane.account, axis).map(({ state, x, width }) => (
              <rect key={x} className={state} x={x} y="0" width={width} height="10" />
            ))}
          </svg>
          <Stretches account={lane.account} />
        </>
      ) : null}
    </div>
  )
}

/** The account of every second, a lane each, all on one time. */
export const AccountSection = ({ coverage }: { readonly coverage: readonly LaneCoverage[] }) => {
  const { t } = useLanguage()
  const axis = axisOf(coverage.map(({ account }) => account))
  return (
    <Section title={t('recordedTitle')}>
      {coverage.length === 0 ? <p>{t('accountNone')}</p> : null}
      {coverage.map((lane) => (
        <Lane key={lane.lane} lane={lane} axis={axis} />
      ))}
    </Section>
  )
}
