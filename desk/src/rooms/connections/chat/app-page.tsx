import { Fact, Facts } from '@integrity/shared-ui/web/facts'
import { Page } from '@integrity/shared-ui/web/shell'
import { useState } from 'react'
import type { ListQuery, SectionRoute } from '../../../data/route.ts'
import { useDesk } from '../../../parts/desk-context.ts'
import { useLanguage } from '../../../parts/language.ts'
import { Link } from '../../../parts/link.tsx'
import { Loaded } from '../../../parts/loaded.tsx'
import { useEndpoint } from '../../../parts/use-endpoint.ts'
import { Removed } from '../parts/removed.tsx'
import { AppActions } from './app-actions.tsx'
import { AppLog } from './app-log.tsx'
import { AppSettings } from './app-settings.tsx'
import type { Chat } from './chat-words.ts'

const AppFacts = ({ chat: { provider, status, problem, channel } }: { readonly chat: Chat }) => {
  const { t } = useLanguage()
  return (
    <Facts>
      <Fact name={t('connectionsSystem')}>{t(`connectionsPlatform.${provider}`)}</Fact>
      <Fact name={t('columnState')}>{t(`connectionsStatus.${status}`)}</Fact>
      <Fact name={t('connectionsChannel')}>{channel?.name ?? t('connectionsNoChannel')}</Fact>
      {problem === null ? null : <Fact name={t('connectionsProviderSaid')}>{problem}</Fact>}
    </Facts>
  )
}

interface Props {
  readonly id: string
  readonly query: ListQuery
}

/** One chat app: where it posts, what it announces, and what it has announced. */
export const AppPage = ({ id, query }: Props) => {
  const { t } = useLanguage()
  const { org } = useDesk()
  const [note, setNote] = useState<string>()
  const apps = useEndpoint('portal.chat.list', { params: { orgId: org.id }, query: {} })
  const back: SectionRoute = { room: 'connections', org: org.slug, section: 'chat', query: {} }
  if (note !== undefined)
    return (
      <Page title={t('connectionsChat')}>
        <Removed note={note} back={back} />
      </Page>
    )
  return (
    <Page title={t('connectionsChatOne')}>
      <p>
        <Link to={back}>{t('connectionsAll')}</Link>
      </p>
      <Loaded question={apps}>
        {({ items }) => {
          const chat = items.find((one) => one.id === id)
          if (!chat) return <p>{t('failedNotFound')}</p>
          return (
            <>
              <p className="lead">{chat.workspace}</p>
              <AppFacts chat={chat} />
              <AppActions chat={chat} onGone={setNote} />
              <AppSettings chat={chat} />
              <AppLog id={id} query={query} />
            </>
          )
        }}
      </Loaded>
    </Page>
  )
}
