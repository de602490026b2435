import { HelpLine } from '@integrity/shared-ui/web/help-line'
import { mount } from '@integrity/shared-ui/web/mount'
import { Shell } from '@integrity/shared-ui/web/shell'
import type { ReactNode } from 'react'
import { arrive } from './browser/arrive.ts'
import { openRoom } from './browser/open-room.ts'
import { LinkPage } from './pages/message-page.tsx'
import { RoomPage } from './pages/room-page.tsx'
import { roomLanguages } from './texts/room.ts'

interface Opened {
  readonly content: ReactNode
  /** Ends what the page has running. */
  readonly onFailure?: () => void
}

const open = (): Opened => {
  const link = arrive('room')
  if (typeof link === 'object') {
    const room = openRoom(link)
    return { content: <RoomPage room={room} />, onFailure: () => room.suspend() }
  }
  if (link === 'leaving') return { content: null }
  const content = (
    <Shell footer={<HelpLine />}>
      <LinkPage why={link === 'none' ? 'none' : 'wrong'} />
    </Shell>
  )
  return { content }
}

mount({ languages: roomLanguages, ...open() })
// A page that comes back out of the browser's cache has lost its camera and its place in line.
addEventListener('pageshow', ({ persisted }) => {
  if (persisted) location.reload()
})
