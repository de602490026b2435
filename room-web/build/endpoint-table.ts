import { type EndpointId, endpoint } from '@integrity/protocol'
import type { Plugin } from 'vite'

/** What the browser calls. */
const used = [
  'rooms.get',
  'rooms.consent',
  'rooms.release',
  'agent.cameraFrames.upload',
] as const satisfies readonly EndpointId[]

const name = 'virtual:endpoints'

/**
 * Method and path of the endpoints that the browser calls, taken from the registry when the page is built. The registry
 * itself, with all its schemas, is many times the size of the page.
 */
export const endpointTable = (): Plugin => ({
  name: 'endpoint-table',
  resolveId: (id) => (id === name ? `\0${name}` : undefined),
  load: (id) => {
    if (id !== `\0${name}`) return undefined
    const rows = used.map((id) => [id, { method: endpoint(id).method, path: endpoint(id).path }])
    return `export const endpoints = ${JSON.stringify(Object.fromEntries(rows))}`
  },
})
