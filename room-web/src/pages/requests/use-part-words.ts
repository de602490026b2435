import type { AxisWords } from '@integrity/shared-ui/web/player-axis'
import type { PanelWords } from '@integrity/shared-ui/web/words-panel'
import type { RequestsText } from '../../texts/requests.ts'
import { useLanguage } from './language.ts'
import { useOwnNames } from './own-names.ts'

/** What candidates read on the parts that every player has. */
export const usePartWords = (): { readonly axis: AxisWords; readonly panel: PanelWords } => {
  const { t } = useLanguage()
  const { source } = useOwnNames()
  return {
    axis: { source, place: t('playPlace'), placeOf: (at, end) => t('playPlaceOf', { at, end }) },
    panel: {
      title: t('playSpeech'),
      none: t('playSpeechNone'),
      saidByAgent: t('playSpeakerSaidBy'),
      search: t('playSearch'),
      speaker: (name) => t(`playSpeaker.${name}` as RequestsText),
      found: (count) => t('playFound', { count }),
    },
  }
}
