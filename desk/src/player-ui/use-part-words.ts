import type { AxisWords } from '@integrity/shared-ui/web/player-axis'
import type { PanelWords } from '@integrity/shared-ui/web/words-panel'
import { useLanguage } from '../parts/language.ts'
import type { DeskText } from '../words/desk.ts'
import { useNames } from './use-names.ts'

/** What reviewers read on the parts that every player has. */
export const usePartWords = (): { readonly axisWords: AxisWords; readonly panelWords: PanelWords } => {
  const { t } = useLanguage()
  const { source } = useNames()
  return {
    axisWords: { source, place: t('playerPlace'), placeOf: (at, end) => t('playerPlaceOf', { at, end }) },
    panelWords: {
      title: t('playerSpeech'),
      none: t('playerSpeechNone'),
      saidByAgent: t('playerSpeakerSaidByAgent'),
      search: t('playerSearch'),
      speaker: (name) => t(`playerSpeaker.${name}` as DeskText),
      found: (count) => t('playerFound', { count }),
    },
  }
}
