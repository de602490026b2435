import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { everyEngine } from '../../test-support/engines.ts'
import { refusalOf } from '../../test-support/refusal.ts'
import { startServer, type TestServer } from '../../test-support/server.ts'
import { asMember } from '../candidate-requests/candidate-requests.test-support.ts'
import { policiesOf } from './session-policies.test-support.ts'

for (const engine of everyEngine())
  describe(`the consent page of a policy (${engine})`, () => {
    let server: TestServer
    let orgId = ''

    beforeAll(async () => {
      server = await startServer({ engine })
      orgId = server.orgs[0].orgId
    })
    afterAll(() => server.stop())

    const config = {
      retentionDays: 45,
      capture: { screenshotIntervalSeconds: 20, recording: true },
      windowTitles: true,
    }
    const save = () => policiesOf(server).save({ config })
    const saved = (policyId: string, locale?: string) =>
      asMember(server, 'portal.policies.consentPreview', { params: { orgId, policyId }, query: { locale } })
    const draft = (body: object) =>
      asMember(server, 'portal.policies.consentPreview.draft', { params: { orgId }, body: { config, ...body } })
    /** What the agent of a session with the policy is told to show. */
    const shown = async (policyId: string, locale: string) => {
      const { data } = await server.client(server.orgs[0].sandboxKey).call('sessions.create', { body: { policyId } })
      const agent = server.client(data.agentJoinToken)
      const query = { locale }
      return (await agent.call('agent.sessions.config', { params: { id: data.id }, query })).data.consentDocument
    }

    describe('portal.policies.consentPreview', () => {
      it.each(['en', 'hi'])('is the document that a candidate of a session with it reads, in %s', async (locale) => {
        const { id } = await save()
        expect(await saved(id, locale)).toEqual(await shown(id, locale))
      })

      it('speaks English to whoever asks for no language, and is there for an archived policy', async () => {
        const { id } = await save()
        await policiesOf(server).archive(id)
        expect(await saved(id)).toMatchObject({ locale: 'en', retentionDays: 45 })
      })

      it('names the shorter window of the organisation, as the candidate reads it', async () => {
        const { id } = await save()
        await asMember(server, 'portal.retention.put', { params: { orgId }, body: { defaultDays: 12 } })
        expect(await saved(id)).toMatchObject({ retentionDays: 12 })
        expect(await saved(id)).toEqual(await shown(id, 'en'))
        expect((await draft({})).retentionDays).toBe(12)
        await server.app.db.transact((tx) => tx.run('DELETE FROM retention_rules'))
      })
    })

    describe('portal.policies.consentPreview.draft', () => {
      it('is what the policy would say once it is saved, and saves nothing', async () => {
        const { id } = await save()
        const before = await policiesOf(server).list({ state: 'all' })
        expect(await draft({ locale: 'hi' })).toEqual(await saved(id, 'hi'))
        expect(await policiesOf(server).list({ state: 'all' })).toEqual(before)
      })

      it('refuses a setting out of bounds by its path', async () => {
        const refused = await refusalOf(draft({ config: { capture: { quality: 500 } } }))
        expect(refused).toMatchObject({ status: 400, details: [{ path: 'config.capture.quality' }] })
      })
    })
  })
