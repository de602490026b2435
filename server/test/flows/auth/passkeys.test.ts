import { factorSetupMinutes, maxPasskeys } from '@integrity/protocol'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { createAuthenticator } from '../../test-support/authenticator.ts'
import { everyEngine } from '../../test-support/engines.ts'
import {
  addPasskey,
  addTotp,
  challengeOf,
  makePasskey,
  openStep,
  partyOf,
  postStep,
} from '../../test-support/factors.ts'
import { addMember, addPerson } from '../../test-support/portal.ts'
import { refusalOf } from '../../test-support/refusal.ts'
import { startServer, type TestServer, testPassword } from '../../test-support/server.ts'
import { seatOf } from '../../test-support/sign-ins.ts'
import { minute } from './portal-login.test-support.ts'

for (const engine of everyEngine())
  describe(`a passkey (${engine})`, () => {
    let server: TestServer
    beforeAll(async () => {
      server = await startServer({ engine })
    })
    afterAll(() => server.stop())

    const begun = async (email: string) => {
      await server.app.db.transact((tx) => tx.run('DELETE FROM login_attempts'))
      const step = await openStep(server, email)
      return { ...step, ceremony: { ...partyOf(server), challenge: challengeOf(step.passkeyOptions) } }
    }
    const use = async (challengeToken: string, passkey: unknown) =>
      (await postStep(server, { challengeToken, passkey })).status

    it('is made on a page of the service and signs in, with a counter that goes up', async () => {
      const person = await addPasskey(server, await addMember(server, 'reviewer'))
      expect(person.recoveryCodes).toHaveLength(10)
      for (let n = 0; n < 2; n++) {
        const { challengeToken, methods, passkeyOptions, ceremony } = await begun(person.email)
        expect(methods).toEqual(['passkey', 'recovery_code'])
        expect(passkeyOptions).toMatchObject({
          rpId: partyOf(server).rpId,
          allowCredentials: [{ id: person.authenticator.id, transports: ['internal'], type: 'public-key' }],
        })
        expect(await use(challengeToken, person.authenticator.get(ceremony))).toBe(200)
      }
      const kept = await server.app.db.reader.get<{ counter: number }>(
        'SELECT counter FROM second_factors WHERE credential_id = ?',
        [person.authenticator.id],
      )
      expect(kept?.counter).toBe(2)
    })

    it('that counts nothing, as those of phones, signs in too', async () => {
      const person = await addPasskey(server, await addPerson(server), createAuthenticator({ counts: false }))
      for (let n = 0; n < 2; n++) {
        const { challengeToken, ceremony } = await begun(person.email)
        expect(await use(challengeToken, person.authenticator.get(ceremony))).toBe(200)
      }
    })

    it('is refused from a page of another origin, for another host, another challenge, untouched, of another kind', async () => {
      const { email, authenticator } = await addPasskey(server, await addPerson(server))
      const { challengeToken, ceremony } = await begun(email)
      const { challengeToken: second, ceremony: other } = await begun(email)
      const lies = [
        { origin: 'https://evil.example' },
        { rpId: 'evil.example' },
        { challenge: other.challenge },
        { present: false },
        { type: 'webauthn.create' },
      ]
      for (const lie of lies)
        expect(await use(challengeToken, authenticator.get({ ...ceremony, ...lie })), JSON.stringify(lie)).toBe(401)
      expect(await use(second, authenticator.get(other))).toBe(200)
    })

    it('is refused where its counter goes back or stands, as that of a copy does', async () => {
      const { email, authenticator } = await addPasskey(server, await addPerson(server))
      const first = await begun(email)
      authenticator.state.counter = 9
      expect(await use(first.challengeToken, authenticator.get(first.ceremony))).toBe(200)
      for (const counter of [9, 5, 0]) {
        const { challengeToken, ceremony } = await begun(email)
        authenticator.state.counter = counter
        expect(await use(challengeToken, authenticator.get(ceremony)), String(counter)).toBe(401)
      }
      const { challengeToken, ceremony } = await begun(email)
      authenticator.state.counter = 10
      expect(await use(challengeToken, authenticator.get(ceremony))).toBe(200)
    })

    it('of somebody else opens nothing, nor does one that only says it is theirs, nor broken bytes', async () => {
      const [one, other] = [
        await addPasskey(server, await addPerson(server)),
        await addPasskey(server, await addPerson(server)),
      ]
      const { challengeToken, ceremony } = await begun(one.email)
      const foreign = other.authenticator.get(ceremony)
      expect(await use(challengeToken, foreign)).toBe(401)
      expect(await use(challengeToken, { ...foreign, id: one.authenticator.id, rawId: one.authenticator.id })).toBe(401)
      const own = one.authenticator.get(ceremony)
      expect(await use(challengeToken, { ...own, response: { ...own.response, authenticatorData: 'AAAA' } })).toBe(401)
      expect(await use(challengeToken, { ...own, response: { ...own.response, clientDataJSON: 'AAAA' } })).toBe(401)
    })

    it('signs in once of 20 uses of one assertion at once', async () => {
      const { email, authenticator } = await addPasskey(
        server,
        await addPerson(server),
        createAuthenticator({ counts: false }),
      )
      const { challengeToken, ceremony } = await begun(email)
      const passkey = authenticator.get(ceremony)
      const statuses = await Promise.all(Array.from({ length: 20 }, () => use(challengeToken, passkey)))
      expect(statuses.filter((status) => status === 200)).toHaveLength(1)
    })

    describe('being added', () => {
      const add = (headers: { cookie: string }, credential: unknown) =>
        server.client().call('auth.factors.passkeys.add', { headers, body: { credential: credential as never } })
      const seated = async () => {
        const person = await addPerson(server)
        return { ...person, headers: await seatOf(server, person.userId) }
      }

      it('is refused from a page of another origin, for another host or challenge, and with broken bytes', async () => {
        const { headers } = await seated()
        for (const lie of [{ origin: 'https://evil.example' }, { rpId: 'evil.example' }, { challenge: 'AAAA' }]) {
          const credential = await makePasskey(server, headers, createAuthenticator(), lie)
          expect(await refusalOf(add(headers, credential)), JSON.stringify(lie)).toMatchObject({
            status: 400,
            details: [{ path: 'credential' }],
          })
        }
        const made = await makePasskey(server, headers, createAuthenticator())
        const broken = { ...made, response: { ...made.response, attestationObject: 'AAAA' } }
        expect((await refusalOf(add(headers, broken))).status).toBe(400)
        const { data } = await server.client().call('auth.factors.list', { headers })
        expect(data.factors).toEqual([])
      })

      it('is of who began it, in time, once, and of no second account', async () => {
        const [one, other] = [await seated(), await seated()]
        const authenticator = createAuthenticator()
        const credential = await makePasskey(server, one.headers, authenticator)
        expect(await refusalOf(add(other.headers, credential))).toMatchObject({
          status: 409,
          extra: { reason: 'not_begun' },
        })
        await makePasskey(server, other.headers, authenticator)
        expect((await refusalOf(add(other.headers, credential))).status).toBe(400)
        const done = await Promise.all(
          Array.from({ length: 20 }, () =>
            add(one.headers, credential).then(
              ({ status }) => status,
              ({ status }: { status: number }) => status,
            ),
          ),
        )
        expect(done.filter((status) => status === 201)).toHaveLength(1)
        const again = await makePasskey(server, other.headers, authenticator)
        expect(await refusalOf(add(other.headers, again))).toMatchObject({ status: 409, extra: { reason: 'exists' } })
        const late = await makePasskey(server, other.headers, createAuthenticator())
        server.clock.advance(factorSetupMinutes * minute)
        expect(await refusalOf(add(other.headers, late))).toMatchObject({ status: 409, extra: { reason: 'not_begun' } })
      })

      it(`ends at ${maxPasskeys} for an account, which may have an authenticator app beside them`, async () => {
        const { headers, ...person } = await seated()
        for (let n = 0; n < maxPasskeys; n++) {
          const credential = await makePasskey(server, headers, createAuthenticator())
          const { data } = await add(headers, credential)
          expect(data.recoveryCodes === null).toBe(n > 0)
        }
        const begin = server.client().call('auth.factors.passkeys.begin', { headers, body: { password: testPassword } })
        expect(await refusalOf(begin)).toMatchObject({ status: 409, extra: { reason: 'too_many' } })
        await addTotp(server, person)
        expect((await begun(person.email)).methods.toSorted()).toEqual(['passkey', 'recovery_code', 'totp'])
      })
    })
  })
