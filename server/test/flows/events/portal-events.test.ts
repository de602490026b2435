import type { BuiltInRole } from '@integrity/protocol'
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest'
import { everyEngine } from '../../test-support/engines.ts'
import { portalCookie } from '../../test-support/portal.ts'
import { publish } from '../../test-support/publish.ts'
import { startServer, type TestServer } from '../../test-support/server.ts'
import { fieldOf, type OpenStream, openStream } from '../../test-support/sse-client.ts'

for (const engine of everyEngine())
  describe(`the events that a member sees (${engine})`, () => {
    let server: TestServer
    const streams: OpenStream[] = []
    beforeAll(async () => {
      server = await startServer({ engine })
    })
    afterEach(async () => {
      for (const stream of streams) stream.close()
      await Promise.all(streams.splice(0).map((stream) => stream.ended))
    })
    afterAll(() => server.stop())

    const orgId = () => server.orgs[0].orgId
    const open = async (role: BuiltInRole, query = 'environment=sandbox'): Promise<OpenStream> => {
      const address = `${server.url}/v1/orgs/${orgId()}/events/stream?${query}`
      const stream = await openStream(address, await portalCookie(server, role))
      streams.push(stream)
      return stream
    }
    const listed = async (role: BuiltInRole, query: object): Promise<string[]> => {
      const input = { params: { orgId: orgId() }, query: { environment: 'sandbox', ...query } } as const
      const headers = await portalCookie(server, role)
      return (await server.client().call('portal.events.list', { ...input, headers })).data.items.map(
        ({ type }) => type,
      )
    }

    it('are the same in the list and in the stream, and leave out what the role may not see', async () => {
      const [owner, reviewer] = [await open('owner'), await open('reviewer')]
      expect([owner.status, reviewer.status]).toEqual([200, 200])
      await publish(server, { type: 'webhook.test' })
      await publish(server, { type: 'session.started' })
      const types = (blocks: readonly string[]) => blocks.map((block) => fieldOf(block, 'event'))
      expect(types(await owner.seen(2))).toEqual(['webhook.test', 'session.started'])
      expect(types(await reviewer.seen(1))).toEqual(['session.started'])
      expect(await listed('owner', {})).toEqual(['session.started', 'webhook.test'])
      expect(await listed('reviewer', {})).toEqual(['session.started'])
    })

    it('are refused where a type is asked for that the role may not see, in the list and in the stream', async () => {
      const refused = 'events of webhook.test need the permission webhook.manage'
      const asked = listed('reviewer', { types: 'session.started,webhook.test' })
      await expect(asked).rejects.toMatchObject({ status: 403, message: refused })
      expect((await open('reviewer', 'types=webhook.test')).status).toBe(403)
    })

    it('are of the environment that is asked for, and of nobody else’s organisation', async () => {
      expect(await listed('owner', { environment: 'live' })).toEqual([])
      const foreign = await openStream(
        `${server.url}/v1/orgs/${server.orgs[1].orgId}/events/stream`,
        await portalCookie(server, 'owner'),
      )
      streams.push(foreign)
      expect(foreign.status).toBe(404)
    })
  })
