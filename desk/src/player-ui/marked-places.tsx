import type { PlayerEngine } from '@integrity/shared-ui/player/engine'
import { playTime } from '@integrity/shared-ui/player/range'
import { useLocale } from '@integrity/shared-ui/web/spoken'
import { memo, useState } from 'react'
import { useLanguage } from '../parts/language.ts'
import { spanWords } from '../parts/spans.ts'

/** A place that something is said of. */
export interface MarkedPlace {
  readonly id: string
  readonly atMs: number
  readonly text: string
  /** Where it is not that of the page. */
  readonly lang?: string | undefined
}

interface Props {
  readonly engine: PlayerEngine
  readonly moments: readonly MarkedPlace[]
  readonly notes: readonly MarkedPlace[]
  /** Raised when more may have been shown. */
  readonly second: number
}

interface PlacesProps {
  readonly engine: PlayerEngine
  readonly places: readonly MarkedPlace[]
}

const Places = ({ engine, places }: PlacesProps) => {
  const { t } = useLanguage()
  return (
    <ol className="plain said">
      {places.map(({ id, atMs, text, lang }) => (
        <li key={id}>
          {/* Whoever goes from mark to mark hears when it is and what it is of. */}
          <button
            type="button"
            id={`mark-${id}`}
            aria-labelledby={`mark-${id} mark-text-${id}`}
            onClick={() => engine.seek(atMs)}
          >
            {playTime(atMs)}
          </button>
          <span>
            <span id={`mark-text-${id}`} lang={lang}>
              {text}
            </span>
            {engine.seen.has(Math.max(atMs, engine.timeline.fromMs)) ? ` · ${t('playerMomentOpened')}` : null}
          </span>
        </li>
      ))}
    </ol>
  )
}

/** Every mark of the axis as something that can be pressed, and how much of the interview has been shown. */
export const MarkedPlaces = memo(({ engine, moments, notes }: Props) => {
  const { t } = useLanguage()
  const locale = useLocale()
  const [shown, setShown] = useState(false)
  const { timeline, seen } = engine
  const opened = moments.filter(({ atMs }) => seen.has(Math.max(atMs, timeline.fromMs))).length
  const all = timeline.toMs - timeline.fromMs
  const span = (ms: number) => spanWords(ms, locale)
  return (
    <>
      <details onToggle={({ currentTarget }) => setShown(currentTarget.open)}>
        <summary>{t('playerMoments', { opened, total: moments.length })}</summary>
        {shown ? <Places engine={engine} places={moments} /> : null}
        {shown && notes.length > 0 ? (
          <>
            <h3>{t('playerNotesHere')}</h3>
            <Places engine={engine} places={notes} />
          </>
        ) : null}
      </details>
      <p className="small">{t('playerSeen', { seen: span(Math.min(seen.totalMs, all)), all: span(all) })}</p>
    </>
  )
})
