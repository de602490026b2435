import type { Stretch, Track } from '@integrity/shared-ui/player/timeline'
import type { RequestsText } from '../../texts/requests.ts'
import { useLanguage } from './language.ts'

const displayWord = 'screen:'

/** What sources and stretches of time are called. */
export const useOwnNames = () => {
  const { t } = useLanguage()
  return {
    source: ({ source, lane }: Pick<Track, 'source' | 'lane'>): string => {
      const called = t(`strip.${lane}` as RequestsText)
      if (!source.startsWith(displayWord)) return called
      return t('playDisplay', { lane: called, name: source.slice(displayWord.length) })
    },
    stretch: ({ state, reason, held }: Stretch): string => {
      if (state === 'observed' && !held) return t('playUnheld')
      const what = t(`account.${state}` as RequestsText)
      return state === 'gap' && reason !== null
        ? t('playBandWhy', { what, why: t(`gap.${reason}` as RequestsText) })
        : what
    },
  }
}
