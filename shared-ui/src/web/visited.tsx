import { type ReactNode, useSyncExternalStore } from 'react'
import type { LinkOver } from '../session/link-end.ts'
import type { Visit } from '../session/visit.ts'
import type { LinkText } from '../words/link.ts'
import { MessagePage as SharedMessagePage } from './shell.tsx'
import { WaitingPage } from './waiting-page.tsx'

const MessagePage = SharedMessagePage<LinkText>

interface Props<Facts> {
  readonly visit: Visit<Facts>
  /** What is shown when the link has ended; without it, that it opens nothing. */
  readonly over?: (why: LinkOver) => ReactNode
  readonly children: (facts: Facts) => ReactNode
}

/** What a visit shows until it has read something. */
export const Visited = <Facts,>({ visit, over, children }: Props<Facts>): ReactNode => {
  useSyncExternalStore(visit.subscribe, () => visit.state)
  const { state } = visit
  switch (state.name) {
    case 'opening':
      return <WaitingPage key="opening" why="opening" onTryNow={() => {}} />
    case 'waiting':
      return <WaitingPage key={state.why} why={state.why} onTryNow={() => void visit.refresh()} />
    case 'over':
      return over ? over(state.why) : <MessagePage title="wrongTitle" text="wrongText" />
    case 'open':
      return children(state.facts)
  }
}
