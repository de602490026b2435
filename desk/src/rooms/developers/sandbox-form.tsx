import { useDraft } from '@integrity/shared-ui/hooks/use-draft'
import { Actions, Button } from '@integrity/shared-ui/web/button'
import { ChoiceField } from '@integrity/shared-ui/web/fields'
import { Section } from '@integrity/shared-ui/web/section'
import type { FormEvent } from 'react'
import { useDesk } from '../../parts/desk-context.ts'
import { useLanguage } from '../../parts/language.ts'
import { Outcome } from '../../parts/outcome.tsx'
import { useAttempt } from '../../parts/use-attempt.ts'
import { scenarioOf, scenarios, scenarioTexts } from './scenarios.ts'

/** How many times faster than a real interview. */
const speeds = ['1', '10', '60', '600'] as const

/** Schedules an interview of the sandbox and plays the scenario in it; both once, however often they have to be sent. */
const useStarting = () => {
  const { own, org, person, pageMemory, navigation } = useDesk()
  const { t } = useLanguage()
  const empty = { scenario: 'complete_interview', timeScale: '60' }
  const draft = useDraft(`scenario ${person.user.id} ${org.id}`, empty, pageMemory)
  const form = useAttempt('portal.sessions.list')
  const scenario = scenarioOf(draft.words.scenario)
  const start = () =>
    form.attempt(async () => {
      const once = draft.once()
      const candidateLabel = t('developersSandboxLabel', { scenario: t(scenarioTexts[scenario].name) }).slice(0, 200)
      const session = { params: { orgId: org.id }, body: { environment: 'sandbox' as const, candidateLabel } }
      const { id } = (await own.call('portal.sessions.create', { ...session, idempotencyKey: once })).data
      const body = { scenario, timeScale: Number(draft.words.timeScale) }
      await own.call('portal.sandbox.simulate', { params: { id }, body, idempotencyKey: `${once}-play` })
      draft.clear()
      navigation.go({ room: 'developers', org: org.slug, section: 'sandbox', id, query: {} })
    })
  return { draft, form, scenario, start }
}

/** What is to be played, and what it should show. */
export const SandboxForm = () => {
  const { t } = useLanguage()
  const { draft, form, scenario, start } = useStarting()
  const submit = (event: FormEvent) => {
    event.preventDefault()
    start()
  }
  return (
    <Section title={t('developersSandboxNew')}>
      <form noValidate onSubmit={submit}>
        <ChoiceField
          name="scenario"
          label={t('developersScenario')}
          value={scenario}
          options={scenarios.map((value) => ({ value, label: t(scenarioTexts[value].name) }))}
          onChange={(next) => draft.change({ scenario: next })}
          error={form.at('scenario')}
        />
        <p role="status">
          <strong>{t('developersShould')}</strong> {t(scenarioTexts[scenario].shows)}
        </p>
        <ChoiceField
          name="timeScale"
          label={t('developersSpeed')}
          value={draft.words.timeScale}
          options={speeds.map((value) => ({ value, label: t('developersSpeedOf', { n: value }) }))}
          onChange={(timeScale) => draft.change({ timeScale })}
          error={form.at('timeScale')}
        />
        <Outcome of={form} fields={['scenario', 'timeScale']} />
        <Actions>
          <Button type="submit" kind="main" busy={form.busy}>
            {t(form.busy ? 'sending' : 'developersPlay')}
          </Button>
        </Actions>
      </form>
    </Section>
  )
}
