import { readdir } from 'node:fs/promises'
import { join } from 'node:path'
import { afterAll, afterEach, beforeAll, beforeEach, expect, it } from 'vitest'
import { until } from '../test-support/until.ts'
import { DesktopOnServer } from './desktop-on-server.ts'
import { type RealServer, startRealServer } from './real-server.ts'

let server: RealServer
let desktop: DesktopOnServer

beforeAll(async () => {
  server = await startRealServer()
})
beforeEach(async () => {
  desktop = await DesktopOnServer.make(server)
})
afterEach(() => desktop.remove())
afterAll(() => server.remove())

const itemFiles = async (): Promise<string[]> =>
  (await readdir(join(desktop.folder, 'spool'), { recursive: true })).filter((name) => name.endsWith('.item'))

it('a session that was erased while the agent was away is ended, and nothing of it stays on this disk', async () => {
  const { agent, capture, id } = await desktop.record({ audio: { enabled: false } })
  const params = { params: { id } }
  desktop.offline = true
  await capture.still()
  await until('the item to wait', () => agent.state().unsent.items === 1)
  await server.api.call('sessions.end', { ...params, body: {} })
  await server.api.call('sessions.erase', params)
  desktop.offline = false
  await until('the end', () => agent.state().screen === 'done', 60_000)
  expect(agent.state()).toMatchObject({ ended: { by: 'service' }, unsent: { items: 0, events: 0 } })
  expect(agent.state().problem).toBeUndefined()
  expect(agent.state().notices).toEqual([expect.objectContaining({ kind: 'refused_items' })])
  await until('the files to be gone', async () => (await itemFiles()).length === 0)
  expect(capture.running).toEqual([])
})
