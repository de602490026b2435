import { laneAmount } from '@integrity/protocol/clients/lane-words'
import { useLocale } from '@integrity/shared-ui/web/spoken'
import { type LaneStrip, placeOn, type RequestsFacts } from '../../session/requests-api.ts'
import type { RequestsText } from '../../texts/requests.ts'
import { clockTime } from './clock-time.ts'
import { useLanguage } from './language.ts'

interface Whole {
  readonly from: number
  readonly to: number
}

const Lane = ({ lane, whole }: { readonly lane: LaneStrip; readonly whole: Whole }) => {
  const { t } = useLanguage()
  const locale = useLocale()
  const minutes = (seconds: number) => (seconds / 60).toLocaleString(locale, { maximumFractionDigits: 1 })
  const { name, values } = laneAmount(lane, minutes)
  const gaps = lane.gaps.map(({ fromAt, toAt }) => ({
    ...placeOn({ fromAt, toAt }, whole),
    words: t('stripGap', { from: clockTime(fromAt, locale), to: clockTime(toAt, locale) }),
  }))
  return (
    <div>
      <dt>{t(`strip.${lane.lane}` satisfies RequestsText)}</dt>
      <dd>
        {lane.declined ? (
          t('stripDeclined')
        ) : (
          <>
            <svg className="strip" viewBox="0 0 1000 24" preserveAspectRatio="none" aria-hidden="true">
              <rect
                className={(lane.heldSeconds ?? lane.observedSeconds) > 0 ? 'there' : 'gap'}
                width="1000"
                height="24"
              />
              {gaps.map(({ x, width, words }) => (
                <rect key={`${x} ${words}`} className="gap" x={x} width={width} height="24" />
              ))}
            </svg>
            {t(name, values)}
            {gaps.length === 0 ? null : (
              <ul className="small plain">
                {gaps.map(({ x, words }) => (
                  <li key={`${x} ${words}`}>{words}</li>
                ))}
              </ul>
            )}
          </>
        )}
      </dd>
    </div>
  )
}

interface Props {
  readonly lanes: readonly LaneStrip[]
  readonly session: RequestsFacts['session']
  /** Epoch milliseconds, for an interview that goes on. */
  readonly now: number
}

/** For how much of the interview something was reported and is stored, lane by lane: a line, and the same in words. */
export const Strip = ({ lanes, session, now }: Props) => {
  const { t } = useLanguage()
  // Of which nothing was to be had, as in an interview of a moment, nothing is said.
  const told = lanes.filter(({ declined, expectedSeconds }) => declined || expectedSeconds > 0)
  if (session.startedAt === null || told.length === 0) return null
  const whole = { from: Date.parse(session.startedAt), to: session.endedAt ? Date.parse(session.endedAt) : now }
  return (
    <>
      <h4>{t('stripTitle')}</h4>
      <dl className="strips">
        {told.map((lane) => (
          <Lane key={lane.lane} lane={lane} whole={whole} />
        ))}
      </dl>
    </>
  )
}
