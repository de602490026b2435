import { execFileSync } from 'node:child_process'
import path from 'node:path'
import type { Client } from '@integrity/client/every-endpoint'
import type { Page } from 'playwright-core'
import type { TestServer } from './server.ts'
import { register, scheduleSession, type WorldSession } from './world.ts'

const root = path.resolve(import.meta.dirname, '../../..')

/** The phone's page as its sources are now; nothing to do when it is exported already. */
export const buildCompanionClient = (): void => {
  const args = [path.join(root, 'scripts/build-clients.ts'), 'companion']
  execFileSync(process.execPath, args, { stdio: 'inherit' })
}

/** A fake camera that is permitted without a prompt, where the context grants it. */
export interface PhoneLink extends WorldSession {
  readonly code: string
  readonly link: string
}

/** A live session that asks for a side view, and a link for its phone. */
export const newPhoneLink = async (server: TestServer, api: Client, recording = false): Promise<PhoneLink> => {
  const sideView = { enabled: true, previewIntervalSeconds: 2, recording }
  const session = await scheduleSession(api, { candidateLabel: 'A. Candidate', config: { sideView } })
  await register(server, session)
  return { ...session, ...(await nextCode(server, api, session.id)) }
}

export const nextCode = async (server: TestServer, api: Client, id: string) => {
  const { data } = await api.call('sessions.joinLinks.create', { params: { id }, body: { role: 'companion' } })
  return { code: data.joinCode, link: `${server.url}/companion/#${data.joinCode}` }
}

/** As if another app came in front of this one, or went away again. */
export const bringForward = (page: Page, seen: boolean): Promise<void> =>
  page.evaluate(`
    Object.defineProperty(document, 'visibilityState', { configurable: true, get: () => '${seen ? 'visible' : 'hidden'}' })
    document.dispatchEvent(new Event('visibilitychange'))
  `)

/** How many pixels of anything lie beyond the right or left edge. */
export const beyondEdges = (page: Page): Promise<number> =>
  page.evaluate(`Math.max(...[...document.querySelectorAll('#root *')].map((element) => {
    const { left, right, width } = element.getBoundingClientRect()
    return width === 0 ? 0 : Math.max(right - document.documentElement.clientWidth, -left)
  }))`)

/** The client ids of what waits on the phone, beats and files. */
export const queuedOn = (page: Page): Promise<string[]> =>
  page.evaluate(`new Promise((resolve, reject) => {
    const opening = indexedDB.open('companion')
    opening.onerror = () => reject(opening.error)
    opening.onsuccess = () => {
      const all = opening.result.transaction('items').objectStore('items').getAll()
      all.onsuccess = () => { opening.result.close(); resolve(all.result.map(({ clientId }) => clientId)) }
    }
  })`)
