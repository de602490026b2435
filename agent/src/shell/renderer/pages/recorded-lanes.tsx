import { ConfirmButton } from '@integrity/shared-ui/web/confirm-button'
import { Section } from '@integrity/shared-ui/web/section'
import { useLocale } from '@integrity/shared-ui/web/spoken'
import { Fragment } from 'react'
import type { WindowState } from '../../../shared/ipc/window-state.ts'
import { useAgent } from '../components/agent.tsx'
import { LaneLight } from '../components/lane-light.tsx'
import { useLanguage } from '../components/language.tsx'
import { LevelMeter } from '../components/level-meter.tsx'
import { PreviewPicture } from '../components/preview-picture.tsx'
import { elapsed, timeOfDay } from '../state/formats.ts'
import { previewOf } from '../state/lane-facts.ts'
import { isWindowText } from '../texts/window.ts'

type Recorded = NonNullable<WindowState['recording']>['lanes'][number]

/** Words for a reason of the contract; a reason without words is shown as it came. */
const useReason = (): ((reason: string) => string) => {
  const { t } = useLanguage()
  return (reason) => {
    const key = `reason.${reason}`
    return isWindowText(key) ? t(key) : reason.replaceAll('_', ' ')
  }
}

const Displays = ({ displays }: Pick<Recorded, 'displays'>) => {
  const { t } = useLanguage()
  const words = useReason()
  if (displays.length === 0) return null
  return (
    <ul className="displays">
      {displays.map(({ id, state, reason }) => (
        <li key={id}>
          <LaneLight state={state} />
          <span>
            {t('displayLine', { name: id, state: t(`state.${state}`) })}
            {reason ? <span className="small"> {words(reason)}</span> : null}
          </span>
        </li>
      ))}
    </ul>
  )
}

const Counts = ({ recorded: { lane, captured, coverage, lastSampleAt } }: { readonly recorded: Recorded }) => {
  const { t } = useLanguage()
  const locale = useLocale()
  const parts = [t(lane === 'signals' ? 'notedCount' : 'capturedCount', { n: captured })]
  if (coverage) {
    const observed = elapsed(coverage.observedSeconds * 1000)
    const expected = elapsed(coverage.expectedSeconds * 1000)
    parts.push(`${t('observedLabel')}: ${t('observedOf', { observed, expected })}`)
  }
  if (lastSampleAt !== undefined) parts.push(t('lastSample', { time: timeOfDay(lastSampleAt, locale) }))
  return (
    <p className="small counts">
      {parts.map((part, at) => (
        <Fragment key={part}>
          {at === 0 ? null : ' · '}
          <span>{part}</span>
        </Fragment>
      ))}
    </p>
  )
}

const WithdrawButton = ({ lane }: Pick<Recorded, 'lane'>) => {
  const { t } = useLanguage()
  const { state, send } = useAgent()
  const name = t(`lane.${lane}`)
  const required = state.consent?.document.lanes.some((entry) => entry.lane === lane && entry.required)
  return (
    <ConfirmButton
      label={t('withdraw')}
      longLabel={t('withdrawOf', { lane: name })}
      title={t('withdrawTitle', { lane: name })}
      confirm={t('withdrawConfirm')}
      confirmKind="stop"
      cancel={t('goOn')}
      onConfirm={() => send('recording.withdraw', { lane })}
    >
      <p>{t('withdrawText')}</p>
      {required ? <p>{t('withdrawRequired')}</p> : null}
    </ConfirmButton>
  )
}

const LaneRow = ({ recorded }: { readonly recorded: Recorded }) => {
  const { t } = useLanguage()
  const words = useReason()
  const { lane, state, reason, displays, withdrawable } = recorded
  const asked = state !== 'off' && state !== 'not_asked' && state !== 'declined'
  // That it was paused or withdrawn is said by the state already.
  const why = reason && (state === 'down' || state === 'degraded') ? words(reason) : undefined
  return (
    <li className="lane" data-lane={lane} data-state={state}>
      <LaneLight state={state} />
      <div className="words">
        <p className="line">
          <strong>{t(`lane.${lane}`)}</strong> <span>{t(`state.${state}`)}</span>
        </p>
        {why ? <p className="small">{why}</p> : null}
        <Displays displays={displays} />
        {asked ? <Counts recorded={recorded} /> : null}
      </div>
      <LastMoment recorded={recorded} />
      {withdrawable ? <WithdrawButton lane={lane} /> : null}
    </li>
  )
}

/** What the lane has just recorded: its last picture, one for each display, or how loud it is. */
const LastMoment = ({ recorded: { lane, state, displays } }: { readonly recorded: Recorded }) => {
  const { t } = useLanguage()
  if (state !== 'up' && state !== 'degraded') return null
  const kind = previewOf(lane)
  if (kind === 'level') return <LevelMeter lane={lane} />
  const name = t(`lane.${lane}`)
  // A display that fails has its words above; its last picture would look like now.
  const seen = displays.filter((display) => display.state === 'up').map(({ id }) => ({ lane, displayId: id }))
  if (kind === 'none') return null
  const places = kind === 'picture' ? [{ lane }] : seen
  return (
    <div className="moments">
      {places.map((place) => (
        <PreviewPicture
          key={'displayId' in place ? place.displayId : lane}
          {...place}
          alt={t('lastPicture', { name })}
        />
      ))}
    </div>
  )
}

/** A light, words, counts and the last moment for each lane. */
export const RecordedLanes = ({ lanes, paused }: { readonly lanes: readonly Recorded[]; readonly paused: boolean }) => {
  const { t } = useLanguage()
  return (
    <Section title={t(paused ? 'lanesPausedTitle' : 'lanesTitle')}>
      <ul className="lanes">
        {lanes.map((recorded) => (
          <LaneRow key={recorded.lane} recorded={recorded} />
        ))}
      </ul>
    </Section>
  )
}
