import { useDraft } from '@integrity/shared-ui/hooks/use-draft'
import { ChoiceField, LineField } from '@integrity/shared-ui/web/fields'
import { useState } from 'react'
import { useDesk } from '../../../parts/desk-context.ts'
import { useLanguage } from '../../../parts/language.ts'
import { useAttempt } from '../../../parts/use-attempt.ts'
import { SettingsForm } from '../parts/settings-form.tsx'
import { type Capability, credentialsOf, emptyCredentials } from './ats-words.ts'
import { CredentialFields } from './credential-fields.tsx'
import { InboundSecret } from './inbound-secret.tsx'

interface Props {
  readonly capabilities: readonly Capability[]
}

interface Made {
  readonly inboundUrl: string
  readonly inboundSecret: string
  readonly problem: string | null
}

const useConnecting = (capabilities: Props['capabilities']) => {
  const { own, org, person, pageMemory } = useDesk()
  const empty = { provider: capabilities[0]?.provider ?? '', label: '', ...emptyCredentials }
  const draft = useDraft(`hiring ${person.user.id} ${org.id}`, empty, pageMemory)
  const attempt = useAttempt('portal.ats.list', 'portal.ats.capabilities')
  const [made, setMade] = useState<Made>()
  const chosen = capabilities.find(({ provider }) => provider === draft.words.provider)
  const connect = () =>
    attempt.attempt(async () => {
      if (!chosen) return
      const { provider } = chosen
      const credentials = credentialsOf(chosen.credentials, draft.words)
      // What each provider needs is the service's to check: its words come back at the field.
      const body = { provider, label: draft.words.label, credentials } as never
      const input = { params: { orgId: org.id }, body, idempotencyKey: draft.once() }
      setMade((await own.call('portal.ats.connect', input)).data)
      draft.clear()
    })
  return { draft, attempt, made, chosen, connect, seen: () => setMade(undefined) }
}

/** Connects a system. The service tries the credentials first, and says what the provider answered. */
export const ConnectForm = ({ capabilities }: Props) => {
  const { t } = useLanguage()
  const { draft, attempt, made, chosen, connect, seen } = useConnecting(capabilities)
  return (
    <>
      {made ? <InboundSecret of={made} problem={made.problem} onSeen={seen} /> : null}
      <SettingsForm
        of={attempt}
        fields={['label', 'credentials']}
        submit={t('connectionsConnect')}
        done={t('connectionsConnected')}
        onSubmit={connect}
      >
        <ChoiceField
          name="provider"
          label={t('connectionsSystem')}
          value={draft.words.provider}
          options={capabilities.map(({ provider }) => ({
            value: provider,
            label: t(`connectionsProviderName.${provider}`),
          }))}
          onChange={(provider) => draft.change({ provider: provider as Capability['provider'] })}
        />
        {chosen ? <p className="small">{chosen.inbound}</p> : null}
        <LineField
          name="label"
          label={t('connectionsLabel')}
          help={t('connectionsLabelHelp')}
          value={draft.words.label}
          onChange={(label) => draft.change({ label })}
          error={attempt.at('label')}
          maxLength={100}
        />
        {chosen ? <CredentialFields of={chosen} words={draft.words} at={attempt.at} change={draft.change} /> : null}
      </SettingsForm>
    </>
  )
}
