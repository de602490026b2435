import { useDraft } from '@integrity/shared-ui/hooks/use-draft'
import { Actions, Button } from '@integrity/shared-ui/web/button'
import { ChoiceField, focusField, LineField } from '@integrity/shared-ui/web/fields'
import { Section } from '@integrity/shared-ui/web/section'
import { type FormEvent, useState } from 'react'
import { useDesk } from '../../parts/desk-context.ts'
import { useLanguage } from '../../parts/language.ts'
import { Outcome } from '../../parts/outcome.tsx'
import { useAttempt } from '../../parts/use-attempt.ts'
import { CheckGroup } from './check-group.tsx'
import { scopes, scopeTexts } from './scopes.ts'
import type { Fresh } from './shown-secret.tsx'

const empty = { label: '', environment: 'sandbox', scopes: '' }

/** What is typed stays in the page until the key is made. */
const useKeyForm = (onMade: (fresh: Fresh) => void) => {
  const { own, org, person, pageMemory } = useDesk()
  const draft = useDraft(`api-key ${person.user.id} ${org.id}`, empty, pageMemory)
  const form = useAttempt('portal.apiKeys.list')
  const chosen = scopes.filter((scope) => draft.words.scopes.split(' ').includes(scope))
  const make = () =>
    form.attempt(async () => {
      const label = draft.words.label.trim()
      const environment = draft.words.environment === 'live' ? ('live' as const) : ('sandbox' as const)
      const body = { label, environment, scopes: chosen }
      const input = { params: { orgId: org.id }, body, idempotencyKey: draft.once() }
      const { token } = (await own.call('portal.apiKeys.create', input)).data
      draft.clear()
      onMade({ of: label, secret: token })
    })
  return { draft, form, chosen, make }
}

/** A new key: what it is called, where it works, and what it may do. */
export const KeyForm = ({ onMade }: { readonly onMade: (fresh: Fresh) => void }) => {
  const { t } = useLanguage()
  const { draft, form, chosen, make } = useKeyForm(onMade)
  const [missing, setMissing] = useState<'label' | 'scopes'>()
  const submit = (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault()
    const wrong = draft.words.label.trim() === '' ? 'label' : chosen.length === 0 ? 'scopes' : undefined
    setMissing(wrong)
    if (wrong === undefined) make()
    else if (wrong === 'label') focusField(event.currentTarget, wrong)
  }
  return (
    <Section title={t('developersKeyNew')}>
      <form noValidate onSubmit={submit}>
        <LineField
          name="label"
          label={t('developersKeyLabel')}
          help={t('developersKeyLabelHelp')}
          value={draft.words.label}
          onChange={(label) => draft.change({ label })}
          error={missing === 'label' ? t('developersKeyLabelMissing') : form.at('label')}
          maxLength={100}
        />
        <ChoiceField
          name="environment"
          label={t('developersEnvironment')}
          value={draft.words.environment}
          options={(['sandbox', 'live'] as const).map((value) => ({ value, label: t(`environment.${value}`) }))}
          onChange={(environment) => draft.change({ environment })}
          error={form.at('environment')}
        />
        <CheckGroup
          name="scopes"
          label={t('developersScopes')}
          options={scopes.map((value) => ({ value, label: t(scopeTexts[value]) }))}
          chosen={chosen}
          onChange={(next) => draft.change({ scopes: next.join(' ') })}
          error={missing === 'scopes' ? t('developersScopesMissing') : form.at('scopes')}
        />
        <Outcome of={form} fields={['label', 'environment', 'scopes']} />
        <Actions>
          <Button type="submit" kind="main" busy={form.busy}>
            {t(form.busy ? 'sending' : 'developersKeyMake')}
          </Button>
        </Actions>
      </form>
    </Section>
  )
}
