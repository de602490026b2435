import { useDraft } from '@integrity/shared-ui/hooks/use-draft'
import { Actions, Button } from '@integrity/shared-ui/web/button'
import { focusField } from '@integrity/shared-ui/web/fields'
import { AlertNotice } from '@integrity/shared-ui/web/read-out'
import { Section } from '@integrity/shared-ui/web/section'
import { type FormEvent, useState } from 'react'
import { useDesk } from '../../parts/desk-context.ts'
import { useLanguage } from '../../parts/language.ts'
import { Outcome } from '../../parts/outcome.tsx'
import { useAttempt } from '../../parts/use-attempt.ts'
import { subscribed } from './event-types.ts'
import { WebhookFields, type WebhookWrong, webhookFields, wrongWebhook } from './webhook-fields.tsx'
import type { Webhook } from './webhook-health.tsx'

const useChanging = (item: Webhook) => {
  const { own, org, person, pageMemory } = useDesk()
  const { url, eventTypes, updatedAt } = item
  // `since`: how the endpoint was when the typing began.
  const empty = { url, description: item.description ?? '', eventTypes: eventTypes.join(' '), since: updatedAt }
  const draft = useDraft(`webhook ${person.user.id} ${item.id}`, empty, pageMemory)
  const form = useAttempt('portal.webhooks.list')
  const save = () =>
    form.attempt(async () => {
      const { words } = draft
      const body = {
        url: words.url.trim(),
        description: words.description.trim(),
        eventTypes: subscribed(words.eventTypes),
      }
      const params = { orgId: org.id, endpointId: item.id }
      await own.call('portal.webhooks.patch', { params, body, idempotencyKey: draft.once() })
      draft.clear()
    })
  return { draft, form, save, isOld: draft.words.since !== updatedAt }
}

/** Changes an endpoint. Whoever types while somebody else changes it is told, and loses nothing. */
export const WebhookSettings = ({ item }: { readonly item: Webhook }) => {
  const { t } = useLanguage()
  const { draft, form, save, isOld } = useChanging(item)
  const [wrong, setWrong] = useState<WebhookWrong>()
  const submit = (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault()
    const found = wrongWebhook(draft.words)
    setWrong(found)
    if (found === undefined) save()
    else if (found === 'url') focusField(event.currentTarget, found)
  }
  return (
    <Section title={t('developersWebhookSettings')}>
      <form noValidate onSubmit={submit}>
        <AlertNotice>{isOld ? t('developersChangedMeanwhile') : null}</AlertNotice>
        <WebhookFields words={draft.words} wrong={wrong} at={form.at} change={draft.change} />
        <Outcome of={form} fields={webhookFields} />
        <Actions>
          <Button type="submit" busy={form.busy}>
            {t(form.busy ? 'sending' : 'developersSave')}
          </Button>
          {draft.isEmpty ? null : <Button onClick={draft.clear}>{t('developersUndo')}</Button>}
        </Actions>
      </form>
    </Section>
  )
}
