import { aidText } from '@integrity/protocol'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { enginesInTurn } from '../../test-support/engines.ts'
import { invitedSession } from '../../test-support/invitations.ts'
import { startServer, type TestServer } from '../../test-support/server.ts'
import { buildWorld, type World } from '../../test-support/world.ts'
import { verb } from './candidate-requests.test-support.ts'

for (const engine of enginesInTurn(import.meta.filename))
  describe(`aids declared with the link of an invitation (${engine})`, () => {
    let server: TestServer
    let world: World
    beforeAll(async () => {
      server = await startServer({ engine })
      world = await buildWorld(server)
    })
    afterAll(() => server.stop())

    it('are a request that is answered, and the page reads the answer in its own language', async () => {
      const { token } = await invitedSession(world)
      const candidate = server.client(token)
      const { data: sent } = await candidate.call('candidateRequests.aids', { body: { aids: [{ aid: 'helper' }] } })
      expect(sent).toMatchObject({ kind: 'aids', status: 'received' })
      const read = async (locale: string) =>
        (await candidate.call('candidateRequests.declared', { body: { locale } })).data
      expect((await read('en')).declared).toMatchObject([{ aid: 'helper', state: 'declared' }])
      await verb(server, 'approve', sent.id, { text: 'Your interpreter is welcome.' })
      const { declared, requests, open } = await read('hi')
      expect(declared).toMatchObject([{ aid: 'helper', state: 'agreed', text: aidText('helper', 'hi') }])
      expect(open).toBe(true)
      expect(requests[0]?.messages.map(({ from, text }) => [from, text])).toEqual([
        ['candidate', aidText('helper')],
        ['organisation', 'Your interpreter is welcome.'],
      ])
    })

    it('stand beside an accommodation that was asked for in a message, with its answer', async () => {
      const { token } = await invitedSession(world)
      const candidate = server.client(token)
      const body = { topic: 'accommodation', text: 'May I have more time?' } as const
      const { data: asked } = await candidate.call('invitations.contact', { body })
      await verb(server, 'respond', asked.requestId ?? '', { text: 'Half an hour more.' })
      const { data } = await candidate.call('candidateRequests.declared', { body: {} })
      expect(data.requests).toMatchObject([{ id: asked.requestId, kind: 'accommodation', status: 'received' }])
      expect(data.requests[0]?.messages.at(-1)).toMatchObject({ from: 'organisation', text: 'Half an hour more.' })
    })
  })
