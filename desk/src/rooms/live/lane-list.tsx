import { useLocale } from '@integrity/shared-ui/web/spoken'
import type { ReadResult } from '../../data/desk-api.ts'
import { useLanguage } from '../../parts/language.ts'
import { clockTime } from '../../parts/spans.ts'

type Lane = ReadResult<'sessions.live'>['lanes'][number]

/** The sources of an interview, each with the last word that came of it. */
export const LaneList = ({ lanes }: { readonly lanes: readonly Lane[] }) => {
  const { t } = useLanguage()
  const locale = useLocale()
  if (lanes.length === 0) return <p>{t('liveNoLanes')}</p>
  return (
    <ul className="plain">
      {lanes.map(({ lane, displayId, state, reason, since }) => {
        const name = t(`lane.${lane}`)
        const words = {
          lane: displayId === null ? name : t('liveLaneOf', { lane: name, display: displayId }),
          state: t(`liveLaneState.${state}`),
          at: clockTime(since, locale),
        }
        return (
          <li key={`${lane} ${displayId}`}>
            {t('liveLane', words)}
            {/* The application's own words. */}
            {reason ? <span lang="en"> ({reason})</span> : null}
          </li>
        )
      })}
    </ul>
  )
}
