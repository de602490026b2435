import type { Client } from '@integrity/client/every-endpoint'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { enginesInTurn } from '../../test-support/engines.ts'
import { startServer, type TestServer } from '../../test-support/server.ts'
import { anEvent, fullConfig, newPicture, register, scheduleSession, stillFor } from '../../test-support/world.ts'
import { unzip } from '../../test-support/zips.ts'
import { submit, verb } from './candidate-requests.test-support.ts'

const minute = 60_000

for (const engine of enginesInTurn(import.meta.filename))
  describe(`what a candidate reads of how much was recorded (${engine})`, () => {
    let server: TestServer
    let api: Client
    beforeAll(async () => {
      server = await startServer({ engine })
      api = server.client(server.orgs[0].sandboxKey)
    })
    afterAll(() => server.stop())

    /** Ten minutes of which everything was reported, with one still of the screen and not a byte of sound. */
    const reported = async () => {
      const session = await scheduleSession(api, { config: fullConfig })
      const params = { id: session.id }
      await register(server, session)
      const agent = server.client(session.agent)
      const picture = await newPicture()
      const still = { ...stillFor(server, picture), data: picture.toString('base64') }
      await agent.call('agent.screenshots.upload', { params, body: still })
      const start = server.clock.now()
      server.clock.advance(10 * minute)
      const [fromAt, toAt] = [start, server.clock.now()].map((at) => new Date(at).toISOString())
      const events = ['screen', 'microphone', 'transcript'].map((lane) => ({
        ...anEvent(server, 'lane.coverage'),
        data: { lane, fromAt, toAt, expectedSeconds: 600, observedSeconds: 600 },
      }))
      await agent.call('agent.events.ingest', { params, body: { events } })
      await api.call('sessions.end', { params })
      const scope = { orgId: server.orgs[0].orgId, environment: 'sandbox' as const }
      const interview = { scope, sessionId: session.id, agent: session.agent, key: server.orgs[0].sandboxKey }
      const { id, token } = await submit(server, interview, 'access', { text: 'Please.' })
      await verb(server, 'approve', id, { text: 'Here it is.' })
      return { id, token }
    }
    const pageOf = async ({ id, token }: { id: string; token: string }, locale: string): Promise<string> => {
      const answer = await fetch(`${server.url}/v1/candidate-requests/archive`, {
        method: 'POST',
        headers: { authorization: `Bearer ${token}`, 'content-type': 'application/json' },
        body: JSON.stringify({ requestId: id, locale }),
      })
      const members = unzip(Buffer.from(await answer.arrayBuffer()))
      return members.get('index.html')?.toString() ?? ''
    }

    it('is what devices reported and, beside it, what is stored: a lane of which no byte came is not recorded', async () => {
      const { id, token } = await reported()
      const { data } = await server
        .client(token)
        .call('candidateRequests.contents', { body: { requestId: id, after: 0 } })
      const lanes = new Map(data.overview?.lanes.map(({ lane, ...seconds }) => [lane, seconds]))
      const all = { expectedSeconds: 600, observedSeconds: 600 }
      // A still stands for five minutes at most.
      expect(lanes.get('screen')).toMatchObject({ ...all, heldSeconds: 300 })
      expect(lanes.get('microphone')).toMatchObject({ ...all, heldSeconds: 0 })
      expect(lanes.get('transcript')).toMatchObject({ ...all, heldSeconds: null })
      const english = await pageOf({ id, token }, 'en')
      const told = 'Your device reported 10.0 of 10.0 minutes as recorded.'
      expect(english).toContain(`<td>Your screen</td><td>${told} What is stored covers 5.0 minutes.</td>`)
      expect(english).toContain(`<td>Your microphone</td><td>${told} Nothing of it is stored.</td>`)
      expect(english).toContain('<td>A written transcript</td><td>Your device reported 10.0 of 10.0 minutes.</td>')
      const hindi = await pageOf({ id, token }, 'hi')
      expect(hindi).toContain('जो सहेजा हुआ है, वह 5.0 मिनट का है।')
      expect(hindi).toContain('इसका कुछ भी सहेजा हुआ नहीं है।')
    })
  })
