import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { enginesInTurn } from '../../test-support/engines.ts'
import { inDays } from '../../test-support/invitations.ts'
import { readOutbox } from '../../test-support/mail.ts'
import { refusalOf } from '../../test-support/refusal.ts'
import { startServer, type TestServer } from '../../test-support/server.ts'
import { scheduleSession } from '../../test-support/world.ts'
import { asMember, mailsOf } from '../candidate-requests/candidate-requests.test-support.ts'

for (const engine of enginesInTurn(import.meta.filename))
  describe(`portal.invitations.preview (${engine})`, () => {
    let server: TestServer
    let orgId = ''
    beforeAll(async () => {
      server = await startServer({ engine })
      orgId = server.orgs[0].orgId
    })
    afterAll(() => server.stop())

    const preview = (body: object) =>
      asMember(server, 'portal.invitations.preview', { params: { orgId }, body: { environment: 'sandbox', ...body } })
    const words = { name: 'Asha', message: 'Please bring\na cup of tea.' }

    it.each(['en', 'hi'])('is the message that is sent then, but for what its links open (%s)', async (locale) => {
      const schedule = inDays(server, 3)
      const session = await scheduleSession(server.client(server.orgs[0].sandboxKey), { schedule })
      const shown = await preview({ ...words, locale, schedule })
      const params = { orgId, id: session.id }
      const body = { ...words, locale, email: 'asha@example.org' }
      const [sent] = await mailsOf(server, () => asMember(server, 'portal.invitations.create', { params, body }))
      const blank = (text = '') => text.replaceAll(/#\S+/g, '#')
      expect(blank(shown.text)).toBe(blank(sent?.text))
      expect(shown).toMatchObject({ locale, subject: sent?.subject })
      expect(shown.text).toContain('a cup of tea.')
      expect(shown.text).not.toContain(session.id)
    })

    it('says that there is no time yet, in English for a language that is not written, and sends nothing', async () => {
      const before = await readOutbox(server)
      const data = await preview({ locale: 'fr' })
      expect(data.locale).toBe('en')
      expect(data.text).toContain('/invitation/#')
      await server.processAll()
      expect(await readOutbox(server)).toEqual(before)
    })

    it('refuses what could not be sent', async () => {
      const refusal = await refusalOf(preview({ schedule: { startsAt: 'soon', durationMinutes: 60, timeZone: 'UTC' } }))
      expect(refusal.details[0]?.path).toBe('schedule.startsAt')
      expect((await refusalOf(preview({ message: 'x'.repeat(2001) }))).code).toBe('invalid_request')
    })
  })
