import { Section } from '@integrity/shared-ui/web/section'
import { Page } from '@integrity/shared-ui/web/shell'
import type { ListQuery } from '../../../data/route.ts'
import { useDesk } from '../../../parts/desk-context.ts'
import { useLanguage } from '../../../parts/language.ts'
import { Link } from '../../../parts/link.tsx'
import { Loaded } from '../../../parts/loaded.tsx'
import { useEndpoint } from '../../../parts/use-endpoint.ts'
import { ConnectForm } from './connect-form.tsx'
import { SystemPage } from './system-page.tsx'

const Systems = () => {
  const { t } = useLanguage()
  const { org } = useDesk()
  const systems = useEndpoint('portal.ats.list', { params: { orgId: org.id }, query: {} })
  return (
    <Loaded question={systems}>
      {({ items }) =>
        items.length === 0 ? (
          <p>{t('connectionsNoSystem')}</p>
        ) : (
          <ul className="plain rows">
            {items.map(({ id, label, provider, status, problem }) => (
              <li key={id}>
                <Link to={{ room: 'connections', org: org.slug, section: 'hiring-systems', id, query: {} }}>
                  {label}
                </Link>
                <span className="small">
                  {[t(`connectionsProviderName.${provider}`), t(`connectionsStatus.${status}`), problem]
                    .filter(Boolean)
                    .join(' · ')}
                </span>
              </li>
            ))}
          </ul>
        )
      }
    </Loaded>
  )
}

/** The hiring systems that are connected, and one more. */
const Overview = () => {
  const { t } = useLanguage()
  const { org } = useDesk()
  const capabilities = useEndpoint('portal.ats.capabilities', { params: { orgId: org.id } })
  return (
    <Page title={t('connectionsHiring')}>
      <p>{t('connectionsHiringText')}</p>
      <Systems />
      <Section title={t('connectionsConnectTitle')}>
        <Loaded question={capabilities}>{({ items }) => <ConnectForm capabilities={items} />}</Loaded>
      </Section>
    </Page>
  )
}

/** Hiring systems: a stage there makes an interview here. */
export const HiringPage = ({ id, query }: { readonly id?: string | undefined; readonly query: ListQuery }) =>
  id === undefined ? <Overview /> : <SystemPage key={id} id={id} query={query} />
