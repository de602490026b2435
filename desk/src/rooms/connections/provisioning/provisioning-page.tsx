import { Page } from '@integrity/shared-ui/web/shell'
import { useMay } from '../../../parts/desk-context.ts'
import { useLanguage } from '../../../parts/language.ts'
import { CallsSection } from './calls-section.tsx'
import { ChangesSection } from './changes-section.tsx'
import { TokenSection } from './token-section.tsx'

/** Members who are made and deactivated by the identity provider: SCIM. */
export const ProvisioningPage = () => {
  const { t } = useLanguage()
  const seesTrail = useMay('audit.view')
  return (
    <Page title={t('connectionsProvisioning')}>
      <p>{t('connectionsProvisioningText')}</p>
      <TokenSection />
      <CallsSection />
      {seesTrail ? <ChangesSection /> : null}
    </Page>
  )
}
