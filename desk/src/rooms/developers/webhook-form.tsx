import { useDraft } from '@integrity/shared-ui/hooks/use-draft'
import { Actions, Button } from '@integrity/shared-ui/web/button'
import { ChoiceField, focusField } from '@integrity/shared-ui/web/fields'
import { Section } from '@integrity/shared-ui/web/section'
import { type FormEvent, useState } from 'react'
import { useDesk } from '../../parts/desk-context.ts'
import { useLanguage } from '../../parts/language.ts'
import { Outcome } from '../../parts/outcome.tsx'
import { useAttempt } from '../../parts/use-attempt.ts'
import { subscribed } from './event-types.ts'
import type { Fresh } from './shown-secret.tsx'
import { WebhookFields, type WebhookWrong, webhookFields, wrongWebhook } from './webhook-fields.tsx'

const empty = { url: '', description: '', eventTypes: '*', environment: 'sandbox' }

const useMaking = (onMade: (fresh: Fresh) => void) => {
  const { own, org, person, pageMemory } = useDesk()
  const draft = useDraft(`webhook ${person.user.id} ${org.id}`, empty, pageMemory)
  const form = useAttempt('portal.webhooks.list')
  const make = () =>
    form.attempt(async () => {
      const url = draft.words.url.trim()
      const description = draft.words.description.trim()
      const body = {
        url,
        eventTypes: subscribed(draft.words.eventTypes),
        environment: draft.words.environment === 'live' ? ('live' as const) : ('sandbox' as const),
        ...(description === '' ? {} : { description }),
      }
      const input = { params: { orgId: org.id }, body, idempotencyKey: draft.once() }
      const { secret } = (await own.call('portal.webhooks.create', input)).data
      draft.clear()
      onMade({ of: url, secret })
    })
  return { draft, form, make }
}

/** A new endpoint. Its signing secret is in the answer, and never again. */
export const WebhookForm = ({ onMade }: { readonly onMade: (fresh: Fresh) => void }) => {
  const { t } = useLanguage()
  const { draft, form, make } = useMaking(onMade)
  const [wrong, setWrong] = useState<WebhookWrong>()
  const submit = (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault()
    const found = wrongWebhook(draft.words)
    setWrong(found)
    if (found === undefined) make()
    else if (found === 'url') focusField(event.currentTarget, found)
  }
  return (
    <Section title={t('developersWebhookNew')}>
      <form noValidate onSubmit={submit}>
        <ChoiceField
          name="environment"
          label={t('developersEnvironment')}
          value={draft.words.environment}
          options={(['sandbox', 'live'] as const).map((value) => ({ value, label: t(`environment.${value}`) }))}
          onChange={(environment) => draft.change({ environment })}
          error={form.at('environment')}
        />
        <WebhookFields words={draft.words} wrong={wrong} at={form.at} change={draft.change} />
        <Outcome of={form} fields={[...webhookFields, 'environment']} />
        <Actions>
          <Button type="submit" kind="main" busy={form.busy}>
            {t(form.busy ? 'sending' : 'developersWebhookMake')}
          </Button>
        </Actions>
      </form>
    </Section>
  )
}
