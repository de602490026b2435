import { Actions, Button } from '@integrity/shared-ui/web/button'
import { Section } from '@integrity/shared-ui/web/section'
import { SelectField } from '@integrity/shared-ui/web/select-field'
import { useState } from 'react'
import { useDesk } from '../../parts/desk-context.ts'
import { useLanguage } from '../../parts/language.ts'
import { Outcome } from '../../parts/outcome.tsx'
import { useAttempt } from '../../parts/use-attempt.ts'
import { type EventType, eventTypes } from './event-types.ts'
import type { Webhook } from './webhook-health.tsx'

/** Sends the example of a chosen event type to this endpoint. */
export const ExampleForm = ({ item }: { readonly item: Webhook }) => {
  const { t } = useLanguage()
  const { own, org } = useDesk()
  const [type, setType] = useState<EventType>('session.ended')
  const [sent, setSent] = useState<string>()
  const form = useAttempt('portal.webhooks.deliveries.list')
  const send = () =>
    form.attempt(async () => {
      setSent(undefined)
      const params = { orgId: org.id, endpointId: item.id }
      await own.call('portal.webhooks.sendExample', { params, body: { eventType: type } })
      setSent(t('developersExampleSent', { type, url: item.url }))
    })
  return (
    <Section title={t('developersExample')}>
      <p>{t('developersExampleText')}</p>
      <SelectField
        label={t('developersExampleType')}
        value={type}
        onChange={(value) => setType(eventTypes.find((one) => one === value) ?? type)}
        options={eventTypes.map((value) => ({ id: value, label: value }))}
      />
      <p role="status">{sent}</p>
      <Outcome of={form} />
      <Actions>
        <Button busy={form.busy} onClick={send}>
          {t('developersExampleSend')}
        </Button>
      </Actions>
    </Section>
  )
}
