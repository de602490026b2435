import { Page } from '@integrity/shared-ui/web/shell'
import { useDesk } from '../../parts/desk-context.ts'
import { useLanguage } from '../../parts/language.ts'
import { Loaded } from '../../parts/loaded.tsx'
import { useEndpoint } from '../../parts/use-endpoint.ts'
import { MigrationSection } from './migration-section.tsx'
import { RecipientsSection } from './recipients-section.tsx'
import { StorageForm } from './storage-form.tsx'
import { StorageInUse } from './storage-in-use.tsx'

/** Where new recordings go, whether that works, the way of the older ones there, and whom everything is sealed to. */
export const StoragePage = () => {
  const { t } = useLanguage()
  const { org } = useDesk()
  const storage = useEndpoint('portal.storage.get', { params: { orgId: org.id } })
  return (
    <Page title={t('businessStorage')} wide>
      <p>{t('businessStorageText')}</p>
      <Loaded question={storage}>{(found) => <StorageInUse storage={found} />}</Loaded>
      <StorageForm storage={storage.state.name === 'there' ? storage.state.data : undefined} />
      <MigrationSection />
      <RecipientsSection />
    </Page>
  )
}
