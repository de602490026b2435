import type { Stretch, Track } from '@integrity/shared-ui/player/timeline'
import { useLanguage } from '../parts/language.ts'
import type { DeskText } from '../words/desk.ts'

interface Names {
  readonly source: (track: Pick<Track, 'source' | 'lane'>) => string
  readonly stretch: (stretch: Stretch) => string
}

/** What sources and stretches of time are called. */
export const useNames = (): Names => {
  const { t } = useLanguage()
  return {
    source: ({ source, lane }) => {
      const name = source.startsWith('screen:') ? source.slice('screen:'.length) : ''
      const called = t(`lane.${lane}` as DeskText)
      return name === '' ? called : t('playerSourceOf', { lane: called, name })
    },
    stretch: ({ state, reason, held }) => {
      const called = t(`account.${state}` as DeskText)
      if (state === 'gap' && reason !== null)
        return t('stretchBecause', { state: called, reason: t(`gap.${reason}` as DeskText) })
      return state === 'observed' && !held ? t('playerUnheld') : called
    },
  }
}
