import type { ReactNode } from 'react'
import { createRoot } from 'react-dom/client'
import { openRoom } from './browser/open-room.ts'
import { LanguageProvider } from './components/language.tsx'
import { type PageLink, takePageLink } from './link/page-link.ts'
import { LinkPage } from './pages/message-page.tsx'
import { RoomPage } from './pages/room-page.tsx'
import { FailureBoundary } from './ui/failure-boundary.tsx'
import { Shell } from './ui/shell.tsx'

interface Opened {
  readonly content: ReactNode
  /** Ends what the page has running. */
  readonly close: () => void
}

/** What each kind of link opens. */
const openers: Record<PageLink['page'], (link: PageLink) => Opened> = {
  room: (link) => {
    const room = openRoom(link)
    return { content: <RoomPage room={room} />, close: () => room.suspend() }
  },
}

const open = (): Opened => {
  const link = takePageLink(window)
  if (typeof link === 'object') return openers[link.page](link)
  const content = (
    <Shell>
      <LinkPage why={link === 'none' ? 'none' : 'wrong'} />
    </Shell>
  )
  return { content, close: () => {} }
}

const opened = open()
// Another link pasted into the same tab changes only the part behind the `#`, which loads nothing by itself.
addEventListener('hashchange', () => {
  if (location.hash === '') return
  takePageLink(window)
  location.reload()
})
// A page that comes back out of the browser's cache has lost its camera and its place in line.
addEventListener('pageshow', ({ persisted }) => {
  if (persisted) location.reload()
})

const root = document.getElementById('app')
if (root)
  createRoot(root).render(
    <LanguageProvider>
      <FailureBoundary onFailure={opened.close}>{opened.content}</FailureBoundary>
    </LanguageProvider>,
  )
