import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { enginesInTurn } from '../../test-support/engines.ts'
import { asMember, type InvitedSession, inDays, invitedSession } from '../../test-support/invitations.ts'
import { readMail } from '../../test-support/mail.ts'
import { refusalOf } from '../../test-support/refusal.ts'
import { startServer, type TestServer } from '../../test-support/server.ts'
import { type SmtpServer, startSmtp } from '../../test-support/smtp.ts'
import { until } from '../../test-support/until.ts'
import type { World } from '../../test-support/world.ts'

const hour = 3_600_000

for (const engine of enginesInTurn(import.meta.filename))
  describe(`messages by a mail server that is slow or down (${engine})`, () => {
    let smtp: SmtpServer
    let server: TestServer

    beforeAll(async () => {
      smtp = await startSmtp()
      server = await startServer({ engine, env: { SMTP_URL: smtp.url } })
    })
    beforeEach(async () => {
      smtp.onTaken(() => undefined)
      smtp.refuse(undefined)
      await server.processAll()
      smtp.received.length = 0
    })
    afterAll(async () => {
      await server.stop()
      await smtp.stop()
    })

    const invited = (): Promise<InvitedSession> => {
      const { orgId, liveKey } = server.orgs[0]
      return invitedSession({ server, scope: { orgId, environment: 'live' }, key: liveKey } as World)
    }
    const get = async (id: string) => {
      const { orgId } = server.orgs[0]
      const { headers } = await asMember(server, orgId)
      return (await server.client().call('portal.scheduling.get', { headers, params: { orgId, id } })).data
    }
    const set = async (id: string) => {
      const { orgId } = server.orgs[0]
      const body = inDays(server, 8)
      await server
        .client()
        .call('portal.scheduling.set', { ...(await asMember(server, orgId)), params: { orgId, id }, body })
    }

    const jobState = async (id: string) =>
      (await server.app.db.reader.get<{ state: string }>('SELECT state FROM jobs WHERE id = ?', [id]))?.state

    it('are not said to be sent when a newer one was written while the mail server took the one before', async () => {
      const { sessionId } = await invited()
      await set(sessionId)
      const seen: string[] = []
      smtp.onTaken(async () => {
        if (smtp.received.length === 1) {
          const { orgId } = server.orgs[0]
          const body = inDays(server, 9)
          const path = { ...(await asMember(server, orgId)), params: { orgId, id: sessionId } }
          await server.client().call('portal.scheduling.set', { ...path, body })
          return
        }
        const first = /<(job_\w+)@/.exec(readMail(smtp.received[0]?.text ?? '').id)?.[1] ?? ''
        await until(async () => (await jobState(first)) === 'done')
        seen.push((await get(sessionId)).invitations[0]?.delivery ?? '')
      })
      await server.processAll()
      expect(smtp.received).toHaveLength(2)
      expect(seen).toEqual(['queued'])
      expect((await get(sessionId)).invitations[0]?.delivery).toBe('sent')
    })

    it('are not sent again by a job that runs once more after it was recorded', async () => {
      const { sessionId } = await invited()
      await set(sessionId)
      await server.processAll()
      expect(smtp.received).toHaveLength(1)
      const again = () =>
        server.app.db.transact((tx) =>
          tx.run(
            "UPDATE jobs SET state = 'queued', finished_at = NULL WHERE kind = 'invitation.message' AND payload LIKE ?",
            [`%${sessionId}%`],
          ),
        )
      await again()
      await server.processAll()
      expect(smtp.received).toHaveLength(1)
      const { orgId } = server.orgs[0]
      const path = { ...(await asMember(server, orgId)), params: { orgId, id: sessionId } }
      await server.client().call('portal.scheduling.cancel', path)
      await again()
      await server.processAll()
      const subjects = smtp.received.map(({ text }) => readMail(text).subject.replace(/:.*/, ''))
      expect(subjects).toEqual(['Invitation to an interview', 'Your interview was cancelled'])
    })

    it('reach the candidate once it is up again, and until then are said to wait', async () => {
      const { sessionId } = await invited()
      await set(sessionId)
      smtp.refuse(451)
      for (const wait of [0, 1000, 2000, 4000]) {
        server.clock.advance(wait)
        await server.processAll()
      }
      expect(smtp.received).toEqual([])
      expect((await get(sessionId)).invitations).toMatchObject([{ status: 'live', delivery: 'queued', sentAt: null }])
      smtp.refuse(undefined)
      server.clock.advance(hour)
      await server.processAll()
      expect(smtp.received).toHaveLength(1)
      const mail = readMail(smtp.received[0]?.text ?? '')
      expect(mail).toMatchObject({ to: 'candidate@example.org', subject: expect.stringMatching(/^Invitation/) })
      const token = /\.(ivt_\w+)/.exec(mail.text)?.[1] ?? ''
      expect((await server.client(token).call('invitations.inspect')).data.session.id).toBe(sessionId)
      const at = new Date(server.clock.now()).toISOString()
      expect((await get(sessionId)).invitations).toMatchObject([{ delivery: 'sent', sentAt: at }])
    })

    it('that it refuses for good are not tried again, and the organisation sees it', async () => {
      const { sessionId, invitationId } = await invited()
      await set(sessionId)
      smtp.refuse(550)
      await server.processAll()
      smtp.refuse(undefined)
      server.clock.advance(24 * hour)
      await server.processAll()
      expect(smtp.received).toEqual([])
      expect((await get(sessionId)).invitations).toMatchObject([{ status: 'live', delivery: 'refused', sentAt: null }])
      const { orgId } = server.orgs[0]
      const resent = { ...(await asMember(server, orgId)), params: { orgId, id: sessionId, invitationId } }
      await server.client().call('portal.invitations.resend', resent)
      expect((await get(sessionId)).invitations).toMatchObject([{ delivery: 'queued' }])
      await server.processAll()
      expect(readMail(smtp.received[0]?.text ?? '').subject).toMatch(/^Invitation/)
      expect((await get(sessionId)).invitations).toMatchObject([{ delivery: 'sent' }])
      expect(server.logLines.join('')).not.toContain('candidate@example.org')
    })

    it('are still tried after a night, and no more once the link would not work', async () => {
      const { sessionId } = await invited()
      await set(sessionId)
      smtp.refuse(451)
      const tryFor = async (hours: number) => {
        for (let n = 0; n < hours; n++) {
          await server.processAll()
          server.clock.advance(hour)
        }
      }
      await tryFor(24)
      smtp.refuse(undefined)
      await server.processAll()
      expect(smtp.received).toHaveLength(1)
      const late = await invited()
      await set(late.sessionId)
      smtp.refuse(451)
      await server.processAll()
      server.clock.advance(10 * 24 * hour)
      smtp.refuse(undefined)
      smtp.received.length = 0
      await server.processAll()
      expect(smtp.received).toEqual([])
    })

    it("of a candidate fail in words, which takes none of the hour's messages and leaves no record", async () => {
      const { invitationId, token } = await invited()
      const send = () =>
        server.client(token).call('invitations.contact', { body: { topic: 'question', text: 'May I bring notes?' } })
      smtp.refuse(451)
      for (let n = 0; n < 12; n++) {
        const refused = await refusalOf(send())
        expect(refused).toMatchObject({
          status: 503,
          code: 'service_unavailable',
          message: expect.stringMatching(/could not be sent.*try again/),
        })
      }
      const rows = await server.app.db.reader.all(
        "SELECT seq FROM audit_log WHERE target = ? AND action = 'invitation.contacted'",
        [invitationId],
      )
      expect(rows).toEqual([])
      expect(server.logLines.join('')).not.toContain('bring notes')
      smtp.refuse(undefined)
      for (let n = 0; n < 10; n++) await send()
      expect((await refusalOf(send())).status).toBe(429)
      const mail = readMail(smtp.received.at(-1)?.text ?? '')
      expect(mail).toMatchObject({ subject: 'A candidate has a question', replyTo: 'candidate@example.org' })
    })

    it('keep a candidate who gives a reason from declining while they cannot be sent, and no one without a reason', async () => {
      const { sessionId, token } = await invited()
      await server.processAll()
      smtp.received.length = 0
      smtp.refuse(451)
      const decline = (body = {}) => server.client(token).call('invitations.decline', { body })
      expect(await refusalOf(decline({ reason: 'I am ill.' }))).toMatchObject({ status: 503 })
      expect((await get(sessionId)).invitations[0]?.status).toBe('live')
      await decline()
      expect((await get(sessionId)).invitations[0]?.status).toBe('declined')
      smtp.refuse(undefined)
      server.clock.advance(hour)
      await server.processAll()
      expect(smtp.received.map(({ text }) => readMail(text).subject)).toEqual(['A candidate has declined an interview'])
    })
  })
