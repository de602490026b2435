import { Section } from '@integrity/shared-ui/web/section'
import { useDesk } from '../../parts/desk-context.ts'
import { useLanguage } from '../../parts/language.ts'
import { Link } from '../../parts/link.tsx'
import { Loaded } from '../../parts/loaded.tsx'
import { RequestList } from '../../parts/request-list.tsx'
import { useEndpoint } from '../../parts/use-endpoint.ts'

/** What candidates wait for, what is due first at the top. */
export const ToAnswer = () => {
  const { t } = useLanguage()
  const { org } = useDesk()
  const query = { limit: 5, sort: 'due' } as const
  const requests = useEndpoint('portal.candidateRequests.list', { params: { orgId: org.id }, query })
  return (
    <Section title={t('toAnswer')}>
      <Loaded question={requests}>
        {({ items, total }) => (
          <>
            {total === 0 ? <p>{t('noneToAnswer')}</p> : <RequestList items={items} />}
            {total > items.length ? (
              <p>
                <Link to={{ room: 'requests', org: org.slug, query: {} }}>{t('requestsBack')}</Link> ({total})
              </p>
            ) : null}
          </>
        )}
      </Loaded>
    </Section>
  )
}
