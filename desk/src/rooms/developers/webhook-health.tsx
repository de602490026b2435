import type { ReadResult } from '../../data/desk-api.ts'
import { useLanguage } from '../../parts/language.ts'

export type Webhook = ReadResult<'portal.webhooks.list'>['items'][number]

/** How it does, in a sentence. */
export const HealthWords = ({ item }: { readonly item: Webhook }) => {
  const { t } = useLanguage()
  const { status, disabledReason, consecutiveFailures: failures } = item
  if (status === 'disabled')
    return disabledReason === null ? t('developersIsOff') : t('developersIsOffBecause', { reason: disabledReason })
  return failures === 0 ? t('developersIsWell') : t('developersIsFailing', { failures })
}
