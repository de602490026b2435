import {
  factorSetupMinutes,
  recoveryCodeCount,
  secondStepMinutes,
  secondStepTries,
  totpTriesPerDay,
} from '@integrity/protocol'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { everyEngine } from '../../test-support/engines.ts'
import { addTotp, beginTotp, codeAt, openStep, postStep, type Secured, secured } from '../../test-support/factors.ts'
import { parseOutbox } from '../../test-support/mail.ts'
import { goodPassword, passwordToken } from '../../test-support/password-links.ts'
import { addMember, cookieHeader, cookiesOf, postLogin } from '../../test-support/portal.ts'
import { refusalOf } from '../../test-support/refusal.ts'
import { startServer, type TestServer, testPassword } from '../../test-support/server.ts'
import { seatOf } from '../../test-support/sign-ins.ts'
import { actionsOf, day, me, minute } from './portal-login.test-support.ts'

const half = 30_000

for (const engine of everyEngine())
  describe(`the second factor of an account (${engine})`, () => {
    let server: TestServer
    beforeAll(async () => {
      server = await startServer({ engine })
    })
    afterAll(() => server.stop())

    /** What the app of somebody shows next: the clock moves on to it. */
    const nextCode = ({ secret }: Pick<Secured, 'secret'>): string => {
      server.clock.advance(half)
      return codeAt(secret, server.clock.now())
    }
    const reasonOf = async (answer: Response) => {
      const { error } = (await answer.json()) as { error?: { reason?: string } }
      return [answer.status, error?.reason]
    }
    const step = async (body: Readonly<Record<string, unknown>>) => postStep(server, body)
    const statusesOf = async (answers: readonly Promise<Response>[]) =>
      (await Promise.all(answers)).map(({ status }) => status)
    const subjectsTo = async (email: string) => {
      await server.processAll()
      return (await parseOutbox(server)).filter(({ to }) => to?.[0]?.address === email).map(({ subject }) => subject)
    }
    const login = async (email: string) => (await postLogin(server, { email, password: testPassword })).status

    /** A first step that no ceiling of sign-ins stops. */
    const openAnew = async (email: string) => {
      await server.app.db.transact((tx) => tx.run('DELETE FROM login_attempts'))
      return openStep(server, email)
    }

    it('is asked for at sign-in once it is confirmed, and not before', async () => {
      const member = await addMember(server, 'reviewer')
      const headers = await seatOf(server, member.userId)
      const { secret, uri } = await beginTotp(server, headers)
      expect(uri).toMatch(
        new RegExp(`^otpauth://totp/Interview%20Integrity:${encodeURIComponent(member.email)}\\?.*secret=${secret}`),
      )
      expect(
        (await postLogin(server, { email: member.email, password: testPassword })).headers.getSetCookie(),
      ).toHaveLength(2)
      const person = await addTotp(server, member)
      expect(person.recoveryCodes).toHaveLength(recoveryCodeCount)
      const opened = await openStep(server, member.email)
      expect(opened).toMatchObject({ status: 200, cookies: [], methods: ['totp', 'recovery_code'] })
      const answer = await step({ challengeToken: opened.challengeToken, code: nextCode(person) })
      expect(answer.status).toBe(200)
      expect(await answer.json()).toMatchObject({ data: { user: { email: member.email } } })
      expect((await me(server, cookieHeader(cookiesOf(answer.headers)))).status).toBe(200)
      expect(await actionsOf(server, member.userId)).toEqual([
        'user.signed_in',
        'user.signed_in',
        'user.signed_in',
        'user.session_revoked',
        'user.session_revoked',
        'user.factor_added',
        'user.signed_in',
      ])
      expect(await subjectsTo(member.email)).toEqual(['A second step was added to your account'])
    })

    it('ends every sign-in that the password alone has made, but the one that added it', async () => {
      const member = await addMember(server, 'reviewer')
      const before = await seatOf(server, member.userId)
      const person = await addTotp(server, member)
      expect((await me(server, before)).status).toBe(401)
      expect((await me(server, person.headers)).status).toBe(200)
    })

    it('is nowhere to be read once it is set up: not in the database, an answer, a log, a mail', async () => {
      const person = await secured(server)
      const { data } = await server.client().call('auth.factors.list', { headers: person.headers })
      expect(data).toMatchObject({ recoveryCodes: { left: recoveryCodeCount }, required: false })
      expect(data.factors).toEqual([expect.objectContaining({ id: person.factorId, kind: 'totp', label: 'Phone' })])
      await server.processAll()
      const kept = await Promise.all(
        ['second_factors', 'factor_setups', 'recovery_codes', 'jobs', 'audit_log', 'audit_payloads'].map((table) =>
          server.app.db.reader.all(`SELECT * FROM ${table}`),
        ),
      )
      const all = JSON.stringify([kept, data, server.logLines, await parseOutbox(server)])
      for (const secret of [
        person.secret,
        ...person.recoveryCodes,
        ...person.recoveryCodes.map((c) => c.replaceAll('-', '')),
      ])
        expect(all).not.toContain(secret)
    })

    it('takes the code of the step before and the one after, and none twice', async () => {
      const person = await secured(server)
      server.clock.advance(10 * minute)
      for (const [away, status] of [
        [-2, 401],
        [-1, 200],
        [-1, 401],
        [0, 200],
        [1, 200],
        [0, 401],
        [2, 401],
      ] as const) {
        const { challengeToken } = await openStep(server, person.email)
        const code = codeAt(person.secret, server.clock.now() + away * half)
        expect((await step({ challengeToken, code })).status, `${away}`).toBe(status)
      }
    })

    it('takes one of 20 uses of a code at once, whatever second step it comes in', async () => {
      const person = await secured(server)
      const code = nextCode(person)
      const steps: string[] = []
      for (let n = 0; n < 20; n++) steps.push((await openAnew(person.email)).challengeToken)
      const statuses = await statusesOf(steps.map((challengeToken) => step({ challengeToken, code })))
      expect(statuses.filter((status) => status === 200)).toHaveLength(1)
    })

    it('takes one of 20 uses of a recovery code at once, in one second step or in many', async () => {
      const person = await secured(server)
      const [one = '', two = ''] = person.recoveryCodes
      const { challengeToken } = await openAnew(person.email)
      const same = await statusesOf(
        Array.from({ length: 20 }, () =>
          step({ challengeToken, recoveryCode: one.toUpperCase().replaceAll('-', ' ') }),
        ),
      )
      expect(same.filter((status) => status === 200)).toHaveLength(1)
      const steps: string[] = []
      for (let n = 0; n < 20; n++) steps.push((await openAnew(person.email)).challengeToken)
      const many = await statusesOf(steps.map((token) => step({ challengeToken: token, recoveryCode: two })))
      expect(many.filter((status) => status === 200)).toHaveLength(1)
      expect(many.filter((status) => status === 401)).toHaveLength(19)
      const { data } = await server.client().call('auth.factors.list', { headers: person.headers })
      expect(data.recoveryCodes.left).toBe(recoveryCodeCount - 2)
      expect((await subjectsTo(person.email)).filter((s) => s === 'A recovery code was used to sign in')).toHaveLength(
        2,
      )
      expect((await actionsOf(server, person.userId)).filter((a) => a === 'user.recovery_code_used')).toHaveLength(2)
    })

    it(`opens a second step once, for ${secondStepTries} tries and ${secondStepMinutes} minutes`, async () => {
      const person = await secured(server)
      const done = await openAnew(person.email)
      expect((await step({ challengeToken: done.challengeToken, code: nextCode(person) })).status).toBe(200)
      expect(await reasonOf(await step({ challengeToken: done.challengeToken, code: nextCode(person) }))).toEqual([
        401,
        'begin_again',
      ])
      const tried = await openAnew(person.email)
      for (let n = 0; n < secondStepTries; n++)
        expect(await reasonOf(await step({ challengeToken: tried.challengeToken, recoveryCode: 'x' }))).toEqual([
          401,
          'wrong',
        ])
      expect(await reasonOf(await step({ challengeToken: tried.challengeToken, code: nextCode(person) }))).toEqual([
        401,
        'begin_again',
      ])
      const late = await openAnew(person.email)
      server.clock.advance(secondStepMinutes * minute)
      expect(await reasonOf(await step({ challengeToken: late.challengeToken, code: nextCode(person) }))).toEqual([
        401,
        'begin_again',
      ])
      for (const challengeToken of [
        'sfc_0123456789abcdefghijklmnopqrstuv',
        person.headers.cookie,
        server.orgs[0].liveKey,
      ])
        expect(await reasonOf(await step({ challengeToken, code: '123456' }))).toEqual([401, 'begin_again'])
    })

    it(`takes ${totpTriesPerDay} wrong codes from strangers in a day, of a burst too, and then still what cannot be guessed`, async () => {
      const person = await secured(server)
      const steps: string[] = []
      for (let n = 0; n < 6; n++) steps.push((await openAnew(person.email)).challengeToken)
      const tries = steps.flatMap((challengeToken) =>
        Array.from({ length: secondStepTries }, () => step({ challengeToken, code: '000000' })),
      )
      const statuses = await statusesOf(tries)
      expect(statuses.filter((status) => status === 401)).toHaveLength(totpTriesPerDay)
      expect(statuses.filter((status) => status === 429)).toHaveLength(6 * secondStepTries - totpTriesPerDay)
      const { challengeToken } = await openAnew(person.email)
      const shut = await step({ challengeToken, code: nextCode(person) })
      expect(shut.status).toBe(429)
      expect(Number(shut.headers.get('retry-after'))).toBeGreaterThan(3600)
      expect((await step({ challengeToken, recoveryCode: person.recoveryCodes[0] })).status).toBe(200)
      server.clock.advance(day)
      const next = await openAnew(person.email)
      expect((await step({ challengeToken: next.challengeToken, code: nextCode(person) })).status).toBe(200)
    })

    it('leaves a device that the account was open on its own tries', async () => {
      const person = await secured(server)
      const first = await openAnew(person.email)
      const cookies = cookiesOf((await step({ challengeToken: first.challengeToken, code: nextCode(person) })).headers)
      for (let n = 0; n < 5; n++) {
        const { challengeToken } = await openAnew(person.email)
        for (let k = 0; k < secondStepTries; k++) await step({ challengeToken, code: '000000' })
      }
      const stranger = await openAnew(person.email)
      expect((await step({ challengeToken: stranger.challengeToken, code: nextCode(person) })).status).toBe(429)
      const known = await openStep(
        server,
        person.email,
        cookieHeader({ portal_refresh: cookies['portal_refresh'] ?? '' }),
      )
      expect((await step({ challengeToken: known.challengeToken, code: nextCode(person) })).status).toBe(200)
    })

    it('is told of no wrong password: the first step answers as it does for everybody', async () => {
      const person = await secured(server)
      const wrong = async (email: string) => {
        const answer = await postLogin(server, { email, password: 'not the password' })
        return { status: answer.status, error: ((await answer.json()) as { error: unknown }).error }
      }
      expect(await wrong(person.email)).toEqual(await wrong('nobody@example.org'))
    })

    it('outlives a reset of the password, which ends the second steps that were open', async () => {
      const person = await secured(server)
      const { challengeToken } = await openAnew(person.email)
      const token = await passwordToken(server, person.email)
      await server.client().call('auth.password.reset', { body: { token, password: goodPassword } })
      expect(await reasonOf(await step({ challengeToken, code: nextCode(person) }))).toEqual([401, 'begin_again'])
      const answer = await postLogin(server, { email: person.email, password: goodPassword })
      expect(await answer.json()).toMatchObject({ data: { secondFactor: { required: true } } })
      expect(answer.headers.getSetCookie()).toEqual([])
    })

    it('lets a password of 8 characters be set, which is refused without it', async () => {
      const person = await secured(server)
      const short = 'tq7#vLm2'
      const without = await passwordToken(server, (await addMember(server, 'reviewer')).email)
      const call = (token: string) => server.client().call('auth.password.reset', { body: { token, password: short } })
      expect(await refusalOf(call(without))).toMatchObject({ status: 400, details: [{ path: 'password' }] })
      expect((await call(await passwordToken(server, person.email))).status).toBe(200)
    })

    describe('a change of it', () => {
      const change = (
        headers: { cookie: string },
        factorId: string,
        body: { password?: string; code?: string; locale?: string },
      ) => server.client().call('auth.factors.remove', { headers, params: { factorId }, body: body as never })

      it('needs a fresh proof, which a stolen cookie is not', async () => {
        const person = await secured(server)
        const { headers, factorId } = person
        for (const body of [{ password: 'wrong' }, { code: '000000' }])
          expect(await refusalOf(change(headers, factorId, body))).toMatchObject({
            status: 403,
            extra: { reason: 'wrong_proof' },
          })
        for (const body of [{}, { password: testPassword, code: '000000' }])
          expect((await refusalOf(change(headers, factorId, body))).status).toBe(400)
        const begin = server.client().call('auth.factors.totp.begin', { headers, body: { password: 'wrong' } })
        expect((await refusalOf(begin)).status).toBe(403)
        const renew = server.client().call('auth.factors.recoveryCodes.renew', { headers, body: { password: 'wrong' } })
        expect((await refusalOf(renew)).status).toBe(403)
      })

      it('is bounded: ten wrong passwords shut that sign-in out for a while', async () => {
        const { headers, factorId } = await secured(server)
        const tries = Array.from({ length: 14 }, () => refusalOf(change(headers, factorId, { password: 'wrong' })))
        const statuses = (await Promise.all(tries)).map(({ status }) => status)
        expect(statuses.filter((status) => status === 429).length).toBeGreaterThanOrEqual(3)
      })

      it('takes the last one away with its recovery codes, by a code that works once, and tells', async () => {
        const person = await secured(server)
        const code = nextCode(person)
        expect((await change(person.headers, person.factorId, { code, locale: 'hi' })).data.removed).toBe(true)
        const { data } = await server.client().call('auth.factors.list', { headers: person.headers })
        expect(data).toMatchObject({ factors: [], recoveryCodes: { left: 0 } })
        expect(await login(person.email)).toBe(200)
        expect((await openStep(server, person.email).catch(() => ({ cookies: [1, 2] }))).cookies).toHaveLength(2)
        expect((await subjectsTo(person.email)).at(-1)).toBe('आपके खाते में अब कोई दूसरा चरण नहीं है')
        expect(await actionsOf(server, person.userId)).toContain('user.factor_removed')
      })

      it('is nobody else’s: another account’s factor is not found', async () => {
        const [one, other] = [await secured(server), await secured(server, server.orgs[1].orgId)]
        expect(await refusalOf(change(one.headers, other.factorId, { password: testPassword }))).toMatchObject({
          status: 404,
        })
        const { data } = await server.client().call('auth.factors.list', { headers: other.headers })
        expect(data.factors).toHaveLength(1)
      })

      it('gives a new set of recovery codes, and the old ones end', async () => {
        const person = await secured(server)
        const { headers } = person
        const { data } = await server
          .client()
          .call('auth.factors.recoveryCodes.renew', { headers, body: { password: testPassword } })
        expect(new Set([...data.recoveryCodes, ...person.recoveryCodes]).size).toBe(2 * recoveryCodeCount)
        const { challengeToken } = await openAnew(person.email)
        expect((await step({ challengeToken, recoveryCode: person.recoveryCodes[0] })).status).toBe(401)
        expect((await step({ challengeToken, recoveryCode: data.recoveryCodes[0] })).status).toBe(200)
      })

      it('has one authenticator app, confirmed in time by a right code, once of 20 at once', async () => {
        const member = await addMember(server, 'reviewer')
        const headers = await seatOf(server, member.userId)
        const confirm = (code: string) => server.client().call('auth.factors.totp.confirm', { headers, body: { code } })
        expect(await refusalOf(confirm('123456'))).toMatchObject({ status: 409, extra: { reason: 'not_begun' } })
        const late = await beginTotp(server, headers)
        server.clock.advance(factorSetupMinutes * minute)
        expect(await refusalOf(confirm(codeAt(late.secret, server.clock.now())))).toMatchObject({ status: 409 })
        const { secret } = await beginTotp(server, headers)
        const code = codeAt(secret, server.clock.now())
        expect(await refusalOf(confirm(codeAt(late.secret, server.clock.now())))).toMatchObject({ status: 400 })
        const done = await Promise.all(
          Array.from({ length: 20 }, () =>
            confirm(code).then(
              ({ status }) => status,
              ({ status }: { status: number }) => status,
            ),
          ),
        )
        expect(done.filter((status) => status === 201)).toHaveLength(1)
        expect(await refusalOf(beginTotp(server, headers))).toMatchObject({ status: 409, extra: { reason: 'exists' } })
        const { challengeToken } = await openAnew(member.email)
        expect((await step({ challengeToken, code })).status).toBe(401)
      })
    })
  })
