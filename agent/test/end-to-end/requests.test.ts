import { IntegrityError } from '@integrity/client/errors'
import { type Client, createClient } from '@integrity/client/every-endpoint'
import sharp from 'sharp'
import { afterEach, beforeEach, expect, it } from 'vitest'
import { systemClock } from '../../src/shared/clock.ts'
import { until } from '../test-support/until.ts'
import { DesktopOnServer, type OpenDesktop } from './desktop-on-server.ts'
import { type RealServer, startRealServer } from './real-server.ts'

let server: RealServer
let desktop: DesktopOnServer

beforeEach(async () => {
  server = await startRealServer()
  desktop = await DesktopOnServer.make(server)
})
afterEach(async () => {
  await desktop?.remove()
  await server?.remove()
})

const press = ({ agent }: OpenDesktop) => agent.handlers['requests.open']({})
const end = async ({ agent }: OpenDesktop): Promise<void> => {
  await agent.handlers['recording.end']({})
  await until('the end', () => agent.state().screen === 'done')
}
/** One picture of a display that the service takes for one. */
const still = async ({ capture }: OpenDesktop): Promise<void> => {
  const bytes = await sharp({ create: { width: 64, height: 36, channels: 3, background: '#336699' } })
    .jpeg()
    .toBuffer()
  const [capturedAt, monotonicMs] = [systemClock.wallMs(), systemClock.monotonicMs()]
  const item = { kind: 'screenshot', lane: 'screen', contentType: 'image/jpeg', displayId: ':1.0', meta: {} } as const
  await capture.sink?.item({ ...item, capturedAt, monotonicMs, bytes })
}
/** As the page does: the credential is what is behind the session in the address. */
const holderOf = (address = ''): Client =>
  createClient({ baseUrl: server.url, token: new URL(address).hash.slice(1).split('.')[1] ?? '' })
const endingOf = async (address: string | undefined): Promise<unknown> => {
  const refused = await holderOf(address)
    .call('candidateRequests.view')
    .catch((error: unknown) => error)
  return refused instanceof IntegrityError ? [refused.status, refused.extra['reason']] : refused
}

it("the link that the window's button gives to the browser opens what the real service keeps of the session", async () => {
  const run = await desktop.record({})
  await still(run)
  await end(run)
  expect(await press(run)).toEqual({ done: true, opened: 'link' })
  const [address = ''] = desktop.opened
  expect(address.split('.crq_')[0]).toBe(`${server.url}/requests/#${run.id}`)
  expect(run.agent.state().session?.requestsAddress).toBe(`${server.url}/requests/#${run.id}`)
  const { data } = await holderOf(address).call('candidateRequests.view')
  expect(data.session).toMatchObject({ id: run.id, state: 'ended', erasedAt: null })
  expect(data.collected).toEqual([expect.objectContaining({ evidenceType: 'screenshot', objects: 1 })])
  // A request that is sent by it says how the candidate came here.
  const { data: sent } = await holderOf(address).call('candidateRequests.submit', { body: { kind: 'access' } })
  expect(sent).toMatchObject({ kind: 'access', status: 'received', isNew: true })
})

it('a later press opens a link that works, while the one before says that it was replaced', async () => {
  const run = await desktop.record({})
  await end(run)
  await Promise.all([press(run), press(run)])
  expect(desktop.opened).toHaveLength(1)
  await press(run)
  const [first, second] = desktop.opened
  expect(await endingOf(first)).toEqual([401, 'replaced'])
  expect((await holderOf(second).call('candidateRequests.view')).data.session.id).toBe(run.id)
})

it('it is said in words that the service is away, and the same button works when it is back', async () => {
  const run = await desktop.record({})
  await end(run)
  await server.stop()
  expect(await press(run)).toMatchObject({ done: false, problem: { code: 'server_unreachable' } })
  expect(desktop.opened).toEqual([])
  await server.start()
  expect(await press(run)).toEqual({ done: true, opened: 'link' })
})

it('a link is had while the rest is still to be sent, and by the program that goes on with it after a restart', async () => {
  const first = await desktop.record({})
  desktop.offline = true
  await still(first)
  await first.agent.handlers['recording.end']({})
  await until('the end', () => first.agent.state().screen === 'finishing')
  expect(await press(first)).toMatchObject({ done: false, problem: { code: 'server_unreachable' } })
  await desktop.close()
  desktop.offline = false
  const second = await desktop.open()
  await until('the end', () => ['finishing', 'done'].includes(second.agent.state().screen))
  expect(await press(second)).toEqual({ done: true, opened: 'link' })
  await until('everything sent', () => second.agent.state().screen === 'done')
  const { data } = await holderOf(desktop.opened[0]).call('candidateRequests.view')
  expect(data.session.id).toBe(first.id)
  expect(data.collected).toEqual([expect.objectContaining({ evidenceType: 'screenshot', objects: 1 })])
})
