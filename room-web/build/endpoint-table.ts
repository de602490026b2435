import { type EndpointId, endpoint } from '@integrity/protocol'
import type { Plugin } from 'vite'

/** What the browser calls, for each page. */
const used = {
  room: ['rooms.get', 'rooms.consent', 'rooms.release', 'agent.cameraFrames.upload'],
  invitation: [
    'invitations.inspect',
    'invitations.calendar',
    'invitations.ticket',
    'invitations.readiness',
    'invitations.decline',
    'invitations.contact',
    'candidateRequests.links.invitation',
  ],
  requests: [
    'candidateRequests.links.mail',
    'candidateRequests.view',
    'candidateRequests.submit',
    'candidateRequests.export',
  ],
} as const satisfies Record<string, readonly EndpointId[]>

const prefix = 'virtual:endpoints/'

/**
 * Method and path of the endpoints that a page calls, taken from the registry when the page is built. The registry
 * itself, with all its schemas, is many times the size of the page.
 */
export const endpointTable = (): Plugin => ({
  name: 'endpoint-table',
  resolveId: (id) => (id.startsWith(prefix) ? `\0${id}` : undefined),
  load: (id) => {
    const page = id.startsWith(`\0${prefix}`) ? id.slice(prefix.length + 1) : undefined
    if (page === undefined) return undefined
    if (!Object.hasOwn(used, page)) throw new Error(`no page has the name ${page}`)
    const rows = used[page as keyof typeof used].map((id) => [
      id,
      { method: endpoint(id).method, path: endpoint(id).path },
    ])
    return `export const endpoints = ${JSON.stringify(Object.fromEntries(rows))}`
  },
})
