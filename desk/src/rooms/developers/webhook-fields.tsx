import { ExactField, LineField } from '@integrity/shared-ui/web/fields'
import { useLanguage } from '../../parts/language.ts'
import type { Attempt } from '../../parts/use-attempt.ts'
import { CheckGroup } from './check-group.tsx'
import { eventTexts, eventTypes, subscribed } from './event-types.ts'

export interface WebhookWords {
  readonly [name: string]: string
  readonly url: string
  readonly description: string
  /** Types with blanks between, or `*`. */
  readonly eventTypes: string
}
export type WebhookWrong = 'url' | 'eventTypes'
export const webhookFields = ['url', 'description', 'eventTypes'] as const

/** What has to be looked at before it is worth asking the service. */
export const wrongWebhook = ({ url, eventTypes: types }: WebhookWords): WebhookWrong | undefined => {
  if (!URL.canParse(url.trim())) return 'url'
  return subscribed(types).length === 0 ? 'eventTypes' : undefined
}

interface Props {
  readonly words: WebhookWords
  readonly wrong: WebhookWrong | undefined
  readonly at: Attempt['at']
  readonly change: (part: Partial<WebhookWords>) => void
}

/** Where events are sent to, and which. */
export const WebhookFields = ({ words, wrong, at, change }: Props) => {
  const { t } = useLanguage()
  const chosen = subscribed(words.eventTypes)
  // All and single ones exclude each other: the one that came last counts.
  const choose = (next: string[]) =>
    change({
      eventTypes: (chosen.includes('*') ? next.filter((type) => type !== '*') : next)
        .filter((type, _, all) => type === '*' || !all.includes('*'))
        .join(' '),
    })
  return (
    <>
      <ExactField
        name="url"
        label={t('developersUrl')}
        help={t('developersUrlHelp')}
        value={words.url}
        onChange={(url) => change({ url })}
        error={wrong === 'url' ? t('developersUrlWrong') : at('url')}
        maxLength={2000}
      />
      <LineField
        name="description"
        label={t('developersDescription')}
        value={words.description}
        onChange={(description) => change({ description })}
        error={at('description')}
        optional
        maxLength={500}
      />
      <CheckGroup
        name="eventTypes"
        label={t('developersEventTypes')}
        options={[
          { value: '*', label: t('developersEventAll') },
          ...eventTypes.map((value) => ({ value, label: `${value}: ${t(eventTexts[value])}` })),
        ]}
        chosen={chosen}
        onChange={choose}
        error={wrong === 'eventTypes' ? t('developersEventTypesMissing') : at('eventTypes')}
      />
    </>
  )
}
