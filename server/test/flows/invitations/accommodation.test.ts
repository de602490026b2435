import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { enginesInTurn } from '../../test-support/engines.ts'
import { inDays, invitedSession } from '../../test-support/invitations.ts'
import { readOutbox } from '../../test-support/mail.ts'
import { startServer, type TestServer } from '../../test-support/server.ts'
import { buildWorld, type World } from '../../test-support/world.ts'
import { asMember, day, verb } from '../candidate-requests/candidate-requests.test-support.ts'

for (const engine of enginesInTurn(import.meta.filename))
  describe(`an accommodation that a candidate asks for (${engine})`, () => {
    let server: TestServer
    let world: World
    beforeAll(async () => {
      server = await startServer({ engine })
      world = await buildWorld(server)
    })
    afterAll(() => server.stop())

    const ask = async (token: string, text = 'I read slowly; may I have more time?') =>
      (await server.client(token).call('invitations.contact', { body: { topic: 'accommodation', text } })).data
    const get = (id: string | null) =>
      asMember(server, 'portal.candidateRequests.get', {
        params: { orgId: server.orgs[0].orgId, requestId: id ?? '' },
      })
    const mailsTo = async (address: string) => {
      await server.processAll()
      return (await readOutbox(server)).filter(({ to }) => to === address)
    }

    it('is a request with the words, an answer and a day until which it is due', async () => {
      const { sessionId, token } = await invitedSession(world)
      const { requestId } = await ask(token)
      const asked = await get(requestId)
      expect(asked).toMatchObject({
        kind: 'accommodation',
        status: 'received',
        session: { id: sessionId },
        messages: [{ from: 'candidate', text: 'I read slowly; may I have more time?' }],
      })
      // The appointment is in three days, which is sooner than five.
      expect(Date.parse(asked.answerDueAt ?? '') - Date.parse(asked.createdAt)).toBe(3 * day)
      await verb(server, 'respond', asked.id, { text: 'You have half an hour more.' })
      const before = (await mailsTo(asked.replyTo ?? '')).length
      expect(before).toBeGreaterThan(0)
      const { status, messages } = await verb(server, 'approve', asked.id)
      expect(status).toBe('approved')
      expect(messages.map(({ from }) => from)).toEqual(['candidate', 'organisation'])
      expect((await mailsTo(asked.replyTo ?? '')).length).toBe(before + 1)
    })

    it('is one request while it is open, and due five days after it came without an appointment before', async () => {
      const { sessionId, token } = await invitedSession(world)
      const later = JSON.stringify(inDays(server, 30))
      const { db } = server.app
      await db.transact((tx) => tx.run('UPDATE sessions SET schedule = ? WHERE session_id = ?', [later, sessionId]))
      const { requestId } = await ask(token)
      const more = await ask(token, 'And a larger screen.')
      expect(more.requestId).toBe(requestId)
      const asked = await get(requestId)
      expect(asked.messages).toHaveLength(2)
      expect(Date.parse(asked.answerDueAt ?? '') - Date.parse(asked.createdAt)).toBe(5 * day)
    })

    it('is asked for without a trace of other messages: a question is mailed and makes none', async () => {
      const { token } = await invitedSession(world)
      const body = { topic: 'question', text: 'Who will be there?' } as const
      expect((await server.client(token).call('invitations.contact', { body })).data.requestId).toBe(null)
    })
  })
