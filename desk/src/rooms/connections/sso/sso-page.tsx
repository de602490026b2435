import { Page } from '@integrity/shared-ui/web/shell'
import { useDesk } from '../../../parts/desk-context.ts'
import { useLanguage } from '../../../parts/language.ts'
import { Loaded } from '../../../parts/loaded.tsx'
import { useEndpoint } from '../../../parts/use-endpoint.ts'
import { ConnectionSection } from './connection-section.tsx'
import { EnforcementSection } from './enforcement-section.tsx'
import { ServiceProviderSection } from './service-provider-section.tsx'
import { TestSection } from './test-section.tsx'

/** How members sign in by their organisation's own identity provider or directory. */
export const SsoPage = () => {
  const { t } = useLanguage()
  const { org } = useDesk()
  const sso = useEndpoint('portal.sso.get', { params: { orgId: org.id } })
  return (
    <Page title={t('connectionsSection')}>
      <p>{t('connectionsSsoText')}</p>
      <Loaded question={sso}>
        {(data) => (
          <>
            <ServiceProviderSection sso={data} />
            <ConnectionSection sso={data} />
            {data.connection ? <TestSection sso={data} /> : null}
            <EnforcementSection sso={data} />
          </>
        )}
      </Loaded>
    </Page>
  )
}
