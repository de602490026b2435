import { dayAndTime } from '@integrity/shared-ui/session/appointment-times'
import { Actions, Button } from '@integrity/shared-ui/web/button'
import { useLocale } from '@integrity/shared-ui/web/spoken'
import { useId } from 'react'
import type { OwnMoment } from '../../session/requests-api.ts'
import type { RequestsText } from '../../texts/requests.ts'
import { clockTime } from './clock-time.ts'
import type { KeptProps } from './kept-props.ts'
import { useLanguage } from './language.ts'
import { Say, type WantedWords, type Words } from './moment-words.tsx'
import { textOf, useMomentTitle } from './own-names.ts'

interface Props extends KeptProps {
  readonly moment: OwnMoment
  /** Plays the time around an instant; undefined where there is nothing that can be played. */
  readonly onPlay: ((at: string) => void) | undefined
  /** Where it is about this moment. */
  readonly wanted: WantedWords | undefined
}

/** What was written about this moment, with what was sent since it was read, oldest first. */
const wordsOf = ({ moment: { id, statements }, facts }: Props): Words[] => {
  const known = new Set(statements.map(({ requestId }) => requestId))
  const since = facts.requests.filter((request) => request.moment?.id === id && !known.has(request.id))
  return [
    ...statements,
    ...since
      .toReversed()
      .map((request) => ({ requestId: request.id, at: request.createdAt, text: request.messages[0]?.text ?? '' })),
  ]
}

/** How usual it is: of interviews, never of a person. */
const BaseRate = ({ rate, org }: { readonly rate: NonNullable<OwnMoment['baseRate']>; readonly org: string }) => {
  const { t } = useLanguage()
  const locale = useLocale()
  const { seenIn, sessions } = rate
  const share = (seenIn / sessions).toLocaleString(locale, { style: 'percent', maximumFractionDigits: 0 })
  return <p>{t('momentsBaseRate', { share, seenIn, sessions, org })}</p>
}

/** What was written about this moment, as large as what reviewers write about it on their page. */
const Written = ({ words }: { readonly words: readonly Words[] }) => {
  const { t } = useLanguage()
  const locale = useLocale()
  return words.map(({ requestId, at, text }) => (
    <div key={requestId}>
      <p className="small">{t('youWrote', { at: dayAndTime(at, locale) })}</p>
      <blockquote className="written">{text}</blockquote>
    </div>
  ))
}

const Reasons = ({ moment: { rule, commonReasons } }: Pick<Props, 'moment'>) => {
  const { t } = useLanguage()
  const text = textOf(`ruleReasons.${rule}`)
  const reasons = text ? t(text).split('\n') : commonReasons
  return (
    <ul lang={text ? undefined : 'en'}>
      {reasons.map((reason) => (
        <li key={reason}>{reason}</li>
      ))}
    </ul>
  )
}

const Title = ({ moment }: Pick<Props, 'moment'>) => {
  const { words, lang } = useMomentTitle()(moment)
  return <span lang={lang}>{words}</span>
}

/** One moment as its reviewers see it: when, what, why it happens to anybody, how usual it is, and the candidate's words. */
export const MomentItem = (props: Props) => {
  const { t } = useLanguage()
  const locale = useLocale()
  const about = useId()
  const { moment, facts, onPlay } = props
  const { at, untilAt, lanes, baseRate } = moment
  const words = wordsOf(props)
  const times = [at, untilAt].flatMap((time) => (time === null ? [] : [clockTime(time, locale)]))
  return (
    <li className="card">
      <p id={about}>
        <strong>{times.join(' – ')}</strong> <Title moment={moment} />
      </p>
      {lanes.length > 0 ? (
        <p className="small">
          {t('momentsLanes', { lanes: lanes.map((lane) => t(`strip.${lane}` satisfies RequestsText)).join(', ') })}
        </p>
      ) : null}
      <p>{t('momentsReasons')}</p>
      <Reasons moment={moment} />
      {baseRate ? <BaseRate rate={baseRate} org={facts.org.name} /> : null}
      {onPlay ? (
        <Actions>
          <Button aria-describedby={about} onClick={() => onPlay(at)}>
            {t('playAround')}
          </Button>
        </Actions>
      ) : null}
      <Written words={words} />
      <Say {...props} about={about} words={words} />
    </li>
  )
}
