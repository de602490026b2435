import type { Stretch, Track } from '@integrity/shared-ui/player/timeline'
import type { OwnMoment } from '../../session/requests-api.ts'
import { type RequestsText, requestsLanguages } from '../../texts/requests.ts'
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

/** Where this page has words of its own for it. */
export const textOf = (name: string): RequestsText | undefined =>
  Object.hasOwn(requestsLanguages[0].texts, name) ? (name as RequestsText) : undefined

/** What a moment is called: a rule that is younger than this page is called as the service calls it, in English. */
export const useMomentTitle = () => {
  const { t } = useLanguage()
  return ({ rule, title }: Pick<OwnMoment, 'rule' | 'title'>): { readonly words: string; readonly lang?: string } => {
    const text = textOf(`ruleTitle.${rule}`)
    return text ? { words: t(text) } : { words: title, lang: 'en' }
  }
}
