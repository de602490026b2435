import { useDraft } from '@integrity/shared-ui/hooks/use-draft'
import { LineField } from '@integrity/shared-ui/web/fields'
import { Section } from '@integrity/shared-ui/web/section'
import { Page } from '@integrity/shared-ui/web/shell'
import { useDesk } from '../../../parts/desk-context.ts'
import { useLanguage } from '../../../parts/language.ts'
import { Loaded } from '../../../parts/loaded.tsx'
import { useAttempt } from '../../../parts/use-attempt.ts'
import { useEndpoint } from '../../../parts/use-endpoint.ts'
import { SettingsForm } from '../parts/settings-form.tsx'
import { DomainItem } from './domain-item.tsx'

const ClaimForm = () => {
  const { t } = useLanguage()
  const { own, org, person, pageMemory } = useDesk()
  const draft = useDraft(`domain ${person.user.id} ${org.id}`, { domain: '' }, pageMemory)
  const attempt = useAttempt('portal.sso.get')
  const claim = () =>
    attempt.attempt(async () => {
      const body = { domain: draft.words.domain }
      await own.call('portal.sso.domains.add', { params: { orgId: org.id }, body, idempotencyKey: draft.once() })
      draft.clear()
    })
  return (
    <SettingsForm
      of={attempt}
      fields={['domain']}
      submit={t('connectionsClaim')}
      done={t('connectionsClaimed')}
      onSubmit={claim}
    >
      <LineField
        name="domain"
        label={t('connectionsDomain')}
        help={t('connectionsDomainHelp')}
        value={draft.words.domain}
        onChange={(domain) => draft.change({ domain })}
        error={attempt.at('domain')}
        maxLength={253}
      />
    </SettingsForm>
  )
}

/** The e-mail domains of the organisation, each with the record that proves it. */
export const DomainsPage = () => {
  const { t } = useLanguage()
  const { org } = useDesk()
  const sso = useEndpoint('portal.sso.get', { params: { orgId: org.id } })
  return (
    <Page title={t('connectionsDomains')}>
      <p>{t('connectionsDomainsText')}</p>
      <Loaded question={sso}>
        {({ domains, required }) => (
          <>
            {domains.length === 0 ? <p>{t('connectionsNoDomain')}</p> : null}
            {domains.map((domain) => (
              <DomainItem key={domain.domain} domain={domain} required={required} />
            ))}
          </>
        )}
      </Loaded>
      <Section title={t('connectionsClaimTitle')}>
        <ClaimForm />
      </Section>
    </Page>
  )
}
