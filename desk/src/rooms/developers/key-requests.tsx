import { Actions, Button } from '@integrity/shared-ui/web/button'
import { Section } from '@integrity/shared-ui/web/section'
import { AnsweredRequests } from '../../parts/answered-requests.tsx'
import { useDesk } from '../../parts/desk-context.ts'
import { useLanguage } from '../../parts/language.ts'
import { Loaded } from '../../parts/loaded.tsx'
import { useEndpoint } from '../../parts/use-endpoint.ts'

/** The newest requests with one key. */
export const KeyRequests = ({ id }: { readonly id: string }) => {
  const { t } = useLanguage()
  const { org } = useDesk()
  const requests = useEndpoint('portal.apiKeys.requests', { params: { orgId: org.id, keyId: id } })
  return (
    <Section title={t('developersRequests')}>
      <p>{t('developersRequestsText')}</p>
      <Loaded question={requests}>
        {({ items }) =>
          items.length === 0 ? (
            <p>{t('developersRequestsNone')}</p>
          ) : (
            <AnsweredRequests title={t('developersRequests')} items={items} />
          )
        }
      </Loaded>
      <Actions>
        <Button onClick={requests.again}>{t('developersRequestsAgain')}</Button>
      </Actions>
    </Section>
  )
}
