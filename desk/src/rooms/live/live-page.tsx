import { Page } from '@integrity/shared-ui/web/shell'
import type { ListQuery } from '../../data/route.ts'
import { useLanguage } from '../../parts/language.ts'

export const LivePage = (_: { readonly query: ListQuery }) => {
  const { t } = useLanguage()
  return (
    <Page title={t('liveSection')}>
      <p>{t('notHereTitle')}</p>
    </Page>
  )
}
