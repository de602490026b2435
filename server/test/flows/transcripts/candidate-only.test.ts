import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { everyEngine } from '../../test-support/engines.ts'
import { portalCookie } from '../../test-support/portal.ts'
import { startServer, type TestServer } from '../../test-support/server.ts'
import { segment, transcriptsOf } from './transcripts.test-support.ts'

for (const engine of everyEngine())
  describe(`a policy that keeps the candidate's lane alone (${engine})`, () => {
    let server: TestServer
    let fixture: ReturnType<typeof transcriptsOf>
    beforeAll(async () => {
      server = await startServer({ engine })
      fixture = transcriptsOf(server)
    })
    afterAll(() => server.stop())

    it('leaves out what others said and tells the sender so in words', async () => {
      const session = await fixture.live({ candidateOnly: true })
      const segments = [segment(1), segment(2, { speaker: 'unknown' }), segment(3, { speaker: 'interviewer' })]
      const { data } = await session.agent.call('agent.transcript.upsert', {
        params: { id: session.id },
        body: { segments },
      })
      expect(data).toEqual({
        upserted: 1,
        leftOut: 2,
        leftOutBecause: expect.stringContaining('keeps the words of the candidate alone'),
      })
      const { items } = await fixture.read(session)
      expect(items.map(({ text, speakerSaidBy }) => [text, speakerSaidBy])).toEqual([['words 1', 'agent']])
    })

    it('keeps every line where the policy does not say so', async () => {
      const session = await fixture.live()
      const segments = [segment(1), segment(2, { speaker: 'unknown' })]
      const input = { params: { id: session.id }, body: { segments } }
      const { data } = await session.agent.call('agent.transcript.upsert', input)
      expect(data).toEqual({ upserted: 2, leftOut: 0, leftOutBecause: null })
    })

    it('asks for no sound of the computer, and says so in the consent document and to interviewers', async () => {
      const { id, agent } = await fixture.live({ candidateOnly: true })
      const { data } = await agent.call('agent.sessions.config', { params: { id } })
      const lanes = new Map(data.consentDocument.lanes.map(({ lane, text }) => [lane as string, text]))
      expect(lanes.has('microphone')).toBe(true)
      expect(lanes.has('system_audio')).toBe(false)
      expect(lanes.get('microphone')).toContain("Your computer's sound is not recorded")
      expect(lanes.get('transcript')).toContain('The words of the people who speak with you are not kept.')
      const told = await server.client().call('portal.interviewers.list', {
        headers: await portalCookie(server),
        params: { orgId: server.orgs[0].orgId, id },
      })
      expect(told.data.recorded).toMatchObject({ voice: false, words: false })
    })
  })
