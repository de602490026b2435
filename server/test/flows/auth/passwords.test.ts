import { firstPasswordDays, passwordLinkMinutes, passwordLinksPerHour } from '@integrity/protocol'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { everyEngine } from '../../test-support/engines.ts'
import { parseOutbox } from '../../test-support/mail.ts'
import { goodPassword, mailedTokens, passwordToken } from '../../test-support/password-links.ts'
import { addPerson, portalCookie, postLogin, signIn } from '../../test-support/portal.ts'
import { refusalOf } from '../../test-support/refusal.ts'
import { startServer, type TestServer, testPassword } from '../../test-support/server.ts'
import { statementsOf } from '../../test-support/statements.ts'

const minute = 60_000

for (const engine of everyEngine())
  describe(`the password of an account (${engine})`, () => {
    let server: TestServer
    beforeAll(async () => {
      server = await startServer({ engine })
    })
    afterAll(() => server.stop())

    const forgot = (email: string, locale?: string) =>
      server.client().call('auth.password.forgot', { body: { email, locale } })
    const reset = (token: string, password = goodPassword) =>
      server.client().call('auth.password.reset', { body: { token, password } })
    const someone = async () => (await addPerson(server)).email

    it('is set by a link that was asked for, which ends every sign-in and is told', async () => {
      const email = await someone()
      const { cookie } = await signIn(server, email)
      await forgot(` ${email.toUpperCase()} `)
      const [token = ''] = await mailedTokens(server, email)
      expect((await reset(token)).data).toEqual({ reset: true })
      expect(await refusalOf(server.client().call('auth.me', { headers: { cookie } }))).toMatchObject({ status: 401 })
      expect((await postLogin(server, { email, password: testPassword })).status).toBe(401)
      expect((await postLogin(server, { email, password: goodPassword })).status).toBe(200)
      await server.processAll()
      const subjects = (await parseOutbox(server)).filter(({ to }) => to?.[0]?.address === email).map((m) => m.subject)
      expect(subjects).toEqual(['Set a new password', 'Your password was changed'])
      const { hashes } = (await server.app.db.reader.get<{ hashes: number }>(
        'SELECT count(*) AS hashes FROM jobs WHERE payload LIKE ? OR payload LIKE ?',
        [`%${token}%`, `%${email}%`],
      )) ?? { hashes: -1 }
      expect(hashes).toBe(0)
    })

    it('is mailed about in Hindi, in text and HTML', async () => {
      const email = await someone()
      await forgot(email, 'hi-IN')
      await server.processAll()
      const mail = (await parseOutbox(server)).find(({ to }) => to?.[0]?.address === email)
      expect(mail?.subject).toBe('नया पासवर्ड तय करें')
      for (const body of [mail?.text, mail?.html]) expect(body).toMatch(/\/password\/#pwl_\w+\.pwr_\w+/)
      expect(mail?.html).toContain('lang="hi"')
    })

    it('is asked for with the same answer, the same statements and the same job, whether there is an account or not', async () => {
      const workOf = async (email: string) => {
        const { seen, answer } = await statementsOf(server, () => forgot(email))
        return { status: answer.status, data: answer.data, seen }
      }
      const [known, stranger] = [await workOf(await someone()), await workOf('nobody.here@example.org')]
      expect(known.seen.length).toBeGreaterThan(0)
      expect(stranger).toEqual(known)
      expect(await mailedTokens(server, 'nobody.here@example.org')).toEqual([])
    })

    it(`sends ${passwordLinksPerHour} links in an hour, and more after it`, async () => {
      const email = await someone()
      for (let n = 0; n < passwordLinksPerHour + 2; n++) await forgot(email)
      expect(await mailedTokens(server, email)).toHaveLength(passwordLinksPerHour)
      server.clock.advance(61 * minute)
      await forgot(email)
      expect(await mailedTokens(server, email)).toHaveLength(passwordLinksPerHour + 1)
    })

    it('is set once of 20 at once, by one link of several, and never by one whose time is over', async () => {
      const email = await someone()
      const [first, second] = [await passwordToken(server, email), await passwordToken(server, email)]
      const done = await Promise.all(
        Array.from({ length: 20 }, () =>
          reset(first).then(
            ({ status }) => status,
            (error: { status: number }) => error.status,
          ),
        ),
      )
      expect(done.filter((status) => status === 200)).toHaveLength(1)
      expect(done.filter((status) => status === 409)).toHaveLength(19)
      expect(await refusalOf(reset(first))).toMatchObject({ status: 409, extra: { reason: 'used' } })
      expect(await refusalOf(reset(second))).toMatchObject({ status: 409, extra: { reason: 'replaced' } })
      const late = await passwordToken(server, email)
      server.clock.advance(passwordLinkMinutes * minute)
      expect(await refusalOf(reset(late))).toMatchObject({ status: 409, extra: { reason: 'expired' } })
    })

    it('keeps to the one policy, and a refused one leaves the link as it was', async () => {
      const email = await someone()
      const token = await passwordToken(server, email)
      for (const password of ['short', 'x'.repeat(300), 'passwordpassword', `${email.split('@')[0]} ${email}`])
        expect(await refusalOf(reset(token, password)), password).toMatchObject({
          status: 400,
          details: [{ path: 'password' }],
        })
      expect((await reset(token)).status).toBe(200)
    })

    it('is set by no token of another kind, nor one that nobody made', async () => {
      for (const token of ['pwr_0123456789abcdefghijklmnopqrstuv', server.orgs[0].sandboxKey, 'x', 'own_x'])
        expect(await refusalOf(reset(token))).toMatchObject({ status: 404 })
    })

    it('is asked for by addresses alone', async () => {
      for (const email of [
        '',
        'nobody',
        'a b@example.org',
        `${'x'.repeat(250)}@example.org`,
        'a@example.org\nBcc: b@x.org',
      ])
        expect(await refusalOf(forgot(email)), email).toMatchObject({ status: 400, details: [{ path: 'email' }] })
    })

    it('is set first by the link in the message to a new member, who then signs in', async () => {
      const { orgId } = server.orgs[0]
      const headers = await portalCookie(server)
      const body = { email: `fresh.${engine}@example.org`, name: 'Fresh Member', role: 'reviewer' } as const
      await server.client().call('portal.members.add', { params: { orgId }, headers, body })
      const [token = ''] = await mailedTokens(server, body.email)
      server.clock.advance((firstPasswordDays * 24 * 60 - 1) * minute)
      expect((await reset(token)).status).toBe(200)
      const answer = await postLogin(server, { email: body.email, password: goodPassword })
      expect(answer.status).toBe(200)
    })
  })
