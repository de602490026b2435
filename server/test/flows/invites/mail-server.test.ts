import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest'
import { enginesInTurn } from '../../test-support/engines.ts'
import { asMember } from '../../test-support/invitations.ts'
import { readMail } from '../../test-support/mail.ts'
import { startServer, type TestServer } from '../../test-support/server.ts'
import { type SmtpServer, startSmtp } from '../../test-support/smtp.ts'

const hour = 3_600_000

for (const engine of enginesInTurn(import.meta.filename))
  describe(`messages with an invite, by a mail server (${engine})`, () => {
    let smtp: SmtpServer
    let server: TestServer
    beforeAll(async () => {
      smtp = await startSmtp()
      server = await startServer({ engine, env: { SMTP_URL: smtp.url } })
    })
    afterEach(() => {
      smtp.refuse(undefined)
      smtp.received.length = 0
    })
    afterAll(async () => {
      await server.stop()
      await smtp.stop()
    })

    const owner = async () => {
      const [{ orgId }] = server.orgs
      return { ...(await asMember(server, orgId)), params: { orgId } }
    }
    const invite = async (email: string) =>
      (await server.client().call('portal.invites.create', { ...(await owner()), body: { email, role: 'reviewer' } }))
        .data
    const shown = async (id: string) =>
      (await server.client().call('portal.invites.list', { ...(await owner()), query: {} })).data.items.find(
        (item) => item.id === id,
      )

    it('are not sent again by a job that runs once more after it was recorded', async () => {
      const { id } = await invite('once@example.org')
      await server.processAll()
      expect(smtp.received.map(({ text }) => readMail(text).to)).toEqual(['once@example.org'])
      await server.app.db.transact((tx) =>
        tx.run("UPDATE jobs SET state = 'queued', finished_at = NULL WHERE kind = 'invite.mail' AND payload LIKE ?", [
          `%${id}%`,
        ]),
      )
      await server.processAll()
      expect(smtp.received).toHaveLength(1)
    })

    it('that it refuses for good are said to be refused, and go out when they are sent again', async () => {
      smtp.refuse(550)
      const { id } = await invite('nobody@example.org')
      await server.processAll()
      smtp.refuse(undefined)
      server.clock.advance(24 * hour)
      await server.processAll()
      expect(smtp.received).toEqual([])
      expect(await shown(id)).toMatchObject({ status: 'pending', delivery: 'refused', sentAt: null })
      const path = await owner()
      await server.client().call('portal.invites.resend', { ...path, params: { ...path.params, inviteId: id } })
      expect(await shown(id)).toMatchObject({ delivery: 'queued' })
      await server.processAll()
      expect(smtp.received).toHaveLength(1)
      expect(await shown(id)).toMatchObject({ delivery: 'sent' })
    })
  })
