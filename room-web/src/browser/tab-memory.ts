import { forgetPageLink } from '../link/page-link.ts'
import type { TabMemory } from '../session/room.ports.ts'

const keys = { camera: 'room-camera', stopping: 'room-stopping' } as const

/** Kept in sessionStorage: through a reload, for this tab alone. */
export const createTabMemory = (sessionStorage: Storage): TabMemory => ({
  get camera() {
    return sessionStorage.getItem(keys.camera) ?? undefined
  },
  set camera(id) {
    if (id === undefined) sessionStorage.removeItem(keys.camera)
    else sessionStorage.setItem(keys.camera, id)
  },
  get stopping() {
    return sessionStorage.getItem(keys.stopping) !== null
  },
  set stopping(stopping) {
    if (stopping) sessionStorage.setItem(keys.stopping, 'yes')
    else sessionStorage.removeItem(keys.stopping)
  },
  forget() {
    for (const key of Object.values(keys)) sessionStorage.removeItem(key)
    forgetPageLink({ sessionStorage }, 'room')
  },
})
