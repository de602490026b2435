import { useDraft } from '@integrity/shared-ui/hooks/use-draft'
import { Actions, Button } from '@integrity/shared-ui/web/button'
import { focusField } from '@integrity/shared-ui/web/fields'
import { Section } from '@integrity/shared-ui/web/section'
import { type FormEvent, useState } from 'react'
import { useDesk } from '../../parts/desk-context.ts'
import { useLanguage } from '../../parts/language.ts'
import { Outcome } from '../../parts/outcome.tsx'
import { TheirValues } from '../../parts/their-values.tsx'
import { useAttempt } from '../../parts/use-attempt.ts'
import { useTheirs } from '../../parts/use-theirs.ts'
import { subscribed } from './event-types.ts'
import { WebhookFields, type WebhookWrong, webhookFields, wrongWebhook } from './webhook-fields.tsx'
import type { Webhook } from './webhook-health.tsx'

/** `since`: the version of the endpoint when the typing began. */
const webhookWordsOf = ({ url, description, eventTypes, version }: Webhook) => ({
  url,
  description: description ?? '',
  eventTypes: eventTypes.join(' '),
  since: String(version),
})

const useChanging = (item: Webhook) => {
  const { own, org, person, pageMemory } = useDesk()
  const empty = webhookWordsOf(item)
  const draft = useDraft(`webhook ${person.user.id} ${item.id}`, empty, pageMemory)
  const form = useAttempt('portal.webhooks.list')
  const theirs = useTheirs(draft, empty, 'since')
  const save = () =>
    form.attempt(() => {
      const patch = async () => {
        const { words } = draft
        const body = {
          url: words.url.trim(),
          description: words.description.trim(),
          eventTypes: subscribed(words.eventTypes),
          expectedVersion: Number(words.since),
        }
        const params = { orgId: org.id, endpointId: item.id }
        const { data } = await own.call('portal.webhooks.patch', { params, body, idempotencyKey: draft.once() })
        draft.clear()
        draft.change(webhookWordsOf(data))
        theirs.settle(webhookWordsOf(data))
      }
      return theirs.guard(patch, async () => {
        // This list is what the page shows of the endpoint, too.
        const { data } = await own.call('portal.webhooks.list', { params: { orgId: org.id }, query: { limit: 100 } })
        return webhookWordsOf(data.items.find(({ id }) => id === item.id) ?? item)
      })
    })
  return { draft, form, save, theirs }
}

/** Changes an endpoint. Whoever types while somebody else changes it is told, and loses nothing. */
export const WebhookSettings = ({ item }: { readonly item: Webhook }) => {
  const { t } = useLanguage()
  const { draft, form, save, theirs } = useChanging(item)
  const [wrong, setWrong] = useState<WebhookWrong>()
  const submit = (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault()
    const found = wrongWebhook(draft.words)
    setWrong(found)
    if (found === undefined) save()
    else if (found === 'url') focusField(event.currentTarget, found)
  }
  const named = [
    { name: 'url', label: t('developersUrl') },
    { name: 'description', label: t('developersDescription') },
    {
      name: 'eventTypes',
      label: t('developersEventTypes'),
      show: (types: string) => (types === '*' ? t('developersEventAll') : types.replaceAll(' ', ', ')),
    },
  ]
  return (
    <Section title={t('developersWebhookSettings')}>
      <form noValidate onSubmit={submit}>
        <WebhookFields words={draft.words} wrong={wrong} at={form.at} change={draft.change} />
        <TheirValues met={theirs.met} words={draft.words} fields={named} onChange={draft.change} />
        <Outcome of={form} fields={webhookFields} />
        <Actions>
          <Button type="submit" busy={form.busy}>
            {t(form.busy ? 'sending' : 'developersSave')}
          </Button>
          {draft.isEmpty || form.end === 'done' ? null : <Button onClick={draft.clear}>{t('developersUndo')}</Button>}
        </Actions>
      </form>
    </Section>
  )
}
