import { createServerTime } from '@integrity/protocol/clients/server-time'
import { stayAwake } from '@integrity/protocol/clients/wake-lock'
import { chosenLanguage } from '@integrity/shared-ui/browser/chosen-language'
import type { PageLink } from '../link/page-link.ts'
import { Room } from '../session/room.machine.ts'
import { createRoomApi } from '../session/room-api.ts'
import { openStillsQueue } from '../session/stills.queue.ts'
import { roomLanguages } from '../texts/room.ts'
import { createBrowserCamera } from './camera.ts'
import { createTabLock } from './tab-lock.ts'
import { createTabMemory } from './tab-memory.ts'
import { createBrowserTime } from './time.ts'

/** How long a picture waits for others to be sent with. */
const gatherMs = 20_000

/** The room behind a link, put together for this browser and started. */
export const openRoom = ({ subject: sessionId, token }: PageLink): Room => {
  const clock = createServerTime()
  const time = createBrowserTime(clock.now)
  const room = new Room({
    sessionId,
    api: createRoomApi({
      sessionId,
      token,
      // The page is at …/room/, the service beside it, whatever path prefix a proxy gives both.
      baseUrl: new URL('../', location.href).href.replace(/\/$/, ''),
      fetch: (url, init) => fetch(url, init),
      onDate: clock.observe,
      language: () => chosenLanguage(roomLanguages).code,
    }),
    camera: createBrowserCamera(time.after),
    openQueue: () => openStillsQueue(),
    time,
    gatherMs,
    lock: createTabLock(`room ${sessionId}`),
    memory: createTabMemory(sessionStorage),
    onOnline: (listener) => addEventListener('online', listener),
    stayAwake,
  })
  room.start()
  return room
}
