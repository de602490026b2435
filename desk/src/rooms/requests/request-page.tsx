import { Page } from '@integrity/shared-ui/web/shell'
import { useLanguage } from '../../parts/language.ts'

export const RequestPage = ({ id }: { readonly id: string }) => {
  const { t } = useLanguage()
  return (
    <Page title={t('requestsSection')}>
      <p>{t('notHereRequest', { id })}</p>
    </Page>
  )
}
