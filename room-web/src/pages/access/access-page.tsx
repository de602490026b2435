import { type ReactNode, useSyncExternalStore } from 'react'
import type { OpenAccess } from '../../browser/open-access.ts'
import { WaitingPage } from '../../components/waiting-page.tsx'
import type { Visit } from '../../session/visit.ts'
import type { AccessText } from '../../texts/access.ts'
import { MessagePage as SharedMessagePage, Shell } from '../../ui/shell.tsx'
import { AskPage } from './ask-page.tsx'
import { InvitePage } from './invite-page.tsx'

const MessagePage = SharedMessagePage<AccessText>

interface ReadProps<Facts> {
  readonly visit: Visit<Facts>
  readonly children: (facts: Facts) => ReactNode
}

/** What a visit shows until it has read something. */
const Read = <Facts,>({ visit, children }: ReadProps<Facts>): ReactNode => {
  useSyncExternalStore(visit.subscribe, () => visit.state)
  const { state } = visit
  switch (state.name) {
    case 'opening':
      return <WaitingPage key="opening" why="opening" onTryNow={() => {}} />
    case 'waiting':
      return <WaitingPage key={state.why} why={state.why} onTryNow={() => void visit.refresh()} />
    case 'over':
      return <MessagePage title="wrongTitle" text="wrongText" />
    case 'open':
      return children(state.facts)
  }
}

interface Props {
  readonly access: OpenAccess
  /** There was something behind the `#` of the address that is no link. */
  readonly broken: boolean
}

const contentOf = ({ access: { call, invite, desk }, broken }: Props): ReactNode => {
  if (broken) return <MessagePage title="wrongTitle" text="wrongText" />
  if (invite)
    return <Read visit={invite.visit}>{(facts) => <InvitePage call={call} token={invite.token} facts={facts} />}</Read>
  if (!desk) return null
  const closed = <MessagePage title="shutTitle" text="shutText" />
  return <Read visit={desk}>{({ open }) => (open ? <AskPage call={call} /> : closed)}</Read>
}

/** Where an organisation is asked for, and opened by its first owner. */
export const AccessPage = (props: Props) => <Shell>{contentOf(props)}</Shell>
