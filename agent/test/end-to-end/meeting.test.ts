import { afterAll, beforeAll, expect, it } from 'vitest'
import { until } from '../test-support/until.ts'
import { DesktopOnServer } from './desktop-on-server.ts'
import { type RealServer, signInOwner, startRealServer } from './real-server.ts'

let server: RealServer
let desktop: DesktopOnServer

beforeAll(async () => {
  server = await startRealServer()
  desktop = await DesktopOnServer.make(server)
})
afterAll(async () => {
  await desktop.remove()
  await server.remove()
})

it('a meeting that a person links is told to the running agent, with the app to expect, and taken back the same way', async () => {
  const { portal, cookie } = await signInOwner(server)
  const orgId = (await server.api.call('orgs.self')).data.id
  const { agent, id, capture } = await desktop.record({ audio: { enabled: false }, requiredApps: ['Editor'] })
  const of = { params: { orgId, id }, headers: { cookie } }
  const shown = () => [agent.state().session?.callIn, agent.state().recording?.requiredApps]
  expect(shown()).toEqual([undefined, ['Editor']])
  const running = capture.running
  const body = { provider: 'teams', url: 'https://teams.microsoft.com/l/meetup-join/1' } as const
  await portal.call('portal.sessions.meeting.set', { ...of, body })
  await until('the app to expect', () => agent.state().session?.callIn === 'Microsoft Teams')
  expect(shown()).toEqual(['Microsoft Teams', ['Editor']])
  await portal.call('portal.sessions.meeting.remove', of)
  await until('nothing to expect', () => agent.state().session?.callIn === undefined)
  expect(shown()).toEqual([undefined, ['Editor']])
  // It is no policy: what is recorded goes on untouched, and nothing is asked.
  expect(capture.running).toEqual(running)
  expect(agent.state().recording?.asked).toBeUndefined()
})
