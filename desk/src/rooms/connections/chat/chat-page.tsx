import { Section } from '@integrity/shared-ui/web/section'
import { Page } from '@integrity/shared-ui/web/shell'
import type { ListQuery } from '../../../data/route.ts'
import { useDesk } from '../../../parts/desk-context.ts'
import { useLanguage } from '../../../parts/language.ts'
import { Link } from '../../../parts/link.tsx'
import { Loaded } from '../../../parts/loaded.tsx'
import { useEndpoint } from '../../../parts/use-endpoint.ts'
import { AppPage } from './app-page.tsx'
import { InstallSlack } from './install-slack.tsx'
import { InstallTeams } from './install-teams.tsx'

const Apps = () => {
  const { t } = useLanguage()
  const { org } = useDesk()
  const apps = useEndpoint('portal.chat.list', { params: { orgId: org.id }, query: {} })
  return (
    <Loaded question={apps}>
      {({ items }) =>
        items.length === 0 ? (
          <p>{t('connectionsNoChat')}</p>
        ) : (
          <ul className="plain rows">
            {items.map(({ id, workspace, provider, status, problem, channel }) => (
              <li key={id}>
                <Link to={{ room: 'connections', org: org.slug, section: 'chat', id, query: {} }}>{workspace}</Link>
                <span className="small">
                  {[
                    t(`connectionsPlatform.${provider}`),
                    channel?.name ?? t('connectionsNoChannel'),
                    t(`connectionsStatus.${status}`),
                    problem,
                  ]
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

/** The chat apps that are installed, and one more of each platform. */
const Overview = () => {
  const { t } = useLanguage()
  const { org } = useDesk()
  const capabilities = useEndpoint('portal.chat.capabilities', { params: { orgId: org.id } })
  return (
    <Page title={t('connectionsChat')}>
      <p>{t('connectionsChatText')}</p>
      <Apps />
      <Loaded question={capabilities}>
        {({ items }) =>
          items.map(({ provider, configured, reason }) => (
            <Section key={provider} title={t(`connectionsInstall.${provider}`)}>
              {configured ? null : <p>{t('connectionsNotConfigured', { reason: reason ?? '' })}</p>}
              {configured && provider === 'slack' ? <InstallSlack /> : null}
              {configured && provider === 'teams' ? <InstallTeams /> : null}
            </Section>
          ))
        }
      </Loaded>
    </Page>
  )
}

/** Announcements in a team's chat. */
export const ChatPage = ({ id, query }: { readonly id?: string | undefined; readonly query: ListQuery }) =>
  id === undefined ? <Overview /> : <AppPage key={id} id={id} query={query} />
