import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { enginesInTurn } from '../../test-support/engines.ts'
import { pendingInvite } from '../../test-support/invites.ts'
import { parseOutbox } from '../../test-support/mail.ts'
import { goodPassword, mailedTokens } from '../../test-support/password-links.ts'
import { addPerson, join, postLogin } from '../../test-support/portal.ts'
import { startServer, type TestServer, testPassword } from '../../test-support/server.ts'
import { asOwner, configureSso, ldapBody } from '../../test-support/sso.ts'

for (const engine of enginesInTurn(import.meta.filename))
  describe(`an owner's way back by a password (${engine})`, () => {
    let server: TestServer
    let orgId: string
    beforeAll(async () => {
      server = await startServer({ engine })
      orgId = server.orgs[0].orgId
    })
    afterAll(() => server.stop())

    const owner = async (name: string) => {
      const person = await addPerson(server, `${name}@sso.example`)
      await join(server, person.userId, orgId, 'owner')
      return person
    }
    const reset = async (email: string, locale: string) => {
      await server.client().call('auth.password.forgot', { body: { email, locale } })
      const [token = ''] = await mailedTokens(server, email)
      await server.client().call('auth.password.reset', { body: { token, password: goodPassword } })
    }
    const accept = async (email: string, locale: string, known = false) => {
      const { token } = await pendingInvite(server, { email, role: 'owner', locale }, orgId)
      const body = { token, password: goodPassword, ...(!known && { name: 'Somebody' }) }
      await server.client().call('invites.accept', { body })
    }
    /** Who was written to of it, and in which language; each message by itself. */
    const told = async () => {
      await server.processAll()
      const mails = (await parseOutbox(server)).filter(({ html }) => html?.includes('boss@sso.example'))
      return mails.map(({ subject, html, to }) => ({
        subject,
        language: /lang="(\w+)"/.exec(html ?? '')?.[1],
        to: (to ?? []).map(({ address }) => address),
      }))
    }

    it('is told to every owner, to each in the language that they use here', async () => {
      const boss = await owner('boss')
      const [asha, ravi] = [await owner('asha'), await owner('ravi')]
      await reset(asha.email, 'hi-IN')
      // An invitation was written in the language of whoever wrote it: it holds until they use one themselves.
      await accept('kiran@sso.example', 'hi')
      const lena = await addPerson(server, 'lena@sso.example')
      await reset(lena.email, 'en')
      await accept(lena.email, 'hi', true)
      const ask = await asOwner(server, orgId)
      await configureSso({ server, scope: { orgId, environment: 'live' } }, ldapBody)
      await ask('POST', '/test')
      expect((await ask('PUT', '/enforcement', { required: true })).status).toBe(200)
      expect((await postLogin(server, { email: boss.email, password: testPassword })).status).toBe(200)
      const letters = await told()
      expect(new Map(letters.map(({ language, subject }) => [language, subject]))).toEqual(
        new Map([
          ['en', 'An owner signed in with a password'],
          ['hi', 'एक स्वामी ने पासवर्ड से साइन-इन किया'],
        ]),
      )
      expect(letters).toHaveLength(2)
      const toOf = (of: string) => letters.find(({ language }) => language === of)?.to ?? []
      expect(new Set(toOf('hi'))).toEqual(new Set([asha.email, 'kiran@sso.example']))
      expect(toOf('en')).toEqual(expect.arrayContaining([boss.email, ravi.email, lena.email]))
    })
  })
