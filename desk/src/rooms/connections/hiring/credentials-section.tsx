import { useDraft } from '@integrity/shared-ui/hooks/use-draft'
import { Section } from '@integrity/shared-ui/web/section'
import { useDesk } from '../../../parts/desk-context.ts'
import { useLanguage } from '../../../parts/language.ts'
import { Loaded } from '../../../parts/loaded.tsx'
import { useAttempt } from '../../../parts/use-attempt.ts'
import { useEndpoint } from '../../../parts/use-endpoint.ts'
import { SettingsForm } from '../parts/settings-form.tsx'
import { type Ats, type Capability, credentialsOf, emptyCredentials } from './ats-words.ts'
import { CredentialFields } from './credential-fields.tsx'

const CredentialsForm = ({ ats, capability }: { readonly ats: Ats; readonly capability: Capability }) => {
  const { t } = useLanguage()
  const { own, org, person, pageMemory } = useDesk()
  const draft = useDraft(`credentials ${person.user.id} ${ats.id}`, emptyCredentials, pageMemory)
  const attempt = useAttempt('portal.ats.list')
  const save = () =>
    attempt.attempt(async () => {
      const body = { credentials: credentialsOf(capability.credentials, draft.words) }
      await own.call('portal.ats.update', { params: { orgId: org.id, configId: ats.id }, body })
      draft.clear()
    })
  return (
    <SettingsForm
      of={attempt}
      fields={['credentials']}
      submit={t('connectionsCredentialsSave')}
      done={t('connectionsCredentialsSaved')}
      onSubmit={save}
    >
      <CredentialFields of={capability} words={draft.words} at={attempt.at} change={draft.change} />
    </SettingsForm>
  )
}

/** New credentials in place of the old ones, which nobody is shown. */
export const CredentialsSection = ({ ats }: { readonly ats: Ats }) => {
  const { t } = useLanguage()
  const { org } = useDesk()
  const capabilities = useEndpoint('portal.ats.capabilities', { params: { orgId: org.id } })
  return (
    <Section title={t('connectionsCredentials')}>
      <p>{t('connectionsCredentialsText')}</p>
      <Loaded question={capabilities}>
        {({ items }) => {
          const capability = items.find(({ provider }) => provider === ats.provider)
          return capability ? <CredentialsForm ats={ats} capability={capability} /> : null
        }}
      </Loaded>
    </Section>
  )
}
