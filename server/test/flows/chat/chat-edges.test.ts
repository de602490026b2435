import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest'
import { buildCaptureSession } from '../../test-support/capture-session.ts'
import { type ChatDouble, haveSlack, startChatDouble } from '../../test-support/chat-double.ts'
import { enginesInTurn } from '../../test-support/engines.ts'
import { refusalOf } from '../../test-support/refusal.ts'
import { startServer, type TestServer } from '../../test-support/server.ts'
import { scheduleSession } from '../../test-support/world.ts'
import { asMember } from '../candidate-requests/candidate-requests.test-support.ts'

const mostApps = 20

for (const engine of enginesInTurn(import.meta.filename))
  describe(`chat at its edges (${engine})`, () => {
    let server: TestServer
    let double: ChatDouble
    beforeAll(async () => {
      double = await startChatDouble()
      server = await startServer({ engine })
      haveSlack(server, double)
    })
    afterEach(() => expect(double.broken).toEqual([]))
    afterAll(async () => {
      await server.stop()
      await double.stop()
    })

    const params = () => ({ orgId: server.orgs[0].orgId })
    const workflow = async (n: number) => {
      const url = `${double.url}/workflows/${n}?sp=run&sig=good`
      const body = { provider: 'teams', url, label: `Hiring ${n}` } as const
      return (await asMember(server, 'portal.chat.install', { params: params(), body })).integration?.id ?? ''
    }

    it('takes no announcement of one app for one of another', async () => {
      const [mine, other] = [await workflow(1), await workflow(2)]
      const choose = { params: { ...params(), integrationId: mine }, body: { events: ['session.scheduled'] as never } }
      await asMember(server, 'portal.chat.update', choose)
      double.fault = () => ({ status: 400, body: '' })
      await scheduleSession(server.client(server.orgs[0].liveKey), {})
      await server.processAll()
      double.fault = undefined
      const of = (integrationId: string) =>
        asMember(server, 'portal.chat.deliveries', { params: { ...params(), integrationId }, query: {} })
      const [failed] = (await of(mine)).items
      expect(failed?.status).toBe('failed')
      const replay = (integrationId: string) =>
        asMember(server, 'portal.chat.replay', {
          params: { ...params(), integrationId, deliveryId: failed?.id ?? '' },
        } as never)
      expect(await refusalOf(replay(other))).toMatchObject({ status: 404 })
      expect((await of(other)).items).toEqual([])
      await replay(mine)
      await server.processAll()
      expect((await of(mine)).items.map(({ status }) => status).toSorted()).toEqual(['delivered', 'failed'])
    })

    it('announce no backlog that falls, and one that grows again', async () => {
      const integrationId = await workflow(3)
      const app = { ...params(), integrationId }
      await asMember(server, 'portal.chat.update', { params: app, body: { events: [], reviewThreshold: 1 } })
      const end = async () => {
        const session = await buildCaptureSession(server, { environment: 'live' })
        await session.api.call('sessions.end', { params: { id: session.id } })
        return session
      }
      const announced = async () => {
        server.clock.advance(60_000)
        await server.processAll()
        const { items } = await asMember(server, 'portal.chat.deliveries', { params: app, query: {} })
        return items.map(({ eventType }) => eventType)
      }
      await end()
      const one = await end()
      expect(await announced()).toEqual(['review.backlog'])
      await one.api.call('sessions.erase', { params: { id: one.id } })
      expect(await announced()).toEqual(['review.backlog'])
      await end()
      expect(await announced()).toEqual(['review.backlog', 'review.backlog'])
    })

    it(`are ${mostApps} at most, of which an old one can still be set up again`, async () => {
      const count = async () => (await asMember(server, 'portal.chat.list', { params: params() })).items.length
      for (let n = await count(); n < mostApps; n += 1) await workflow(100 + n)
      expect(await count()).toBe(mostApps)
      expect(await refusalOf(workflow(999))).toMatchObject({ status: 409, message: expect.stringMatching(/20 chat/) })
      expect(await workflow(1)).toBeTruthy()
      expect(await count()).toBe(mostApps)
    })
  })
