import crypto from 'node:crypto'
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest'
import { readAnswer } from '../../../src/domains/access/sso/saml-client.model.ts'
import type { SamlJob } from '../../../src/domains/access/sso/saml-reader.parts.ts'
import { WorkerThread } from '../../../src/platform/worker-thread.ts'
import { samlifyAnswer } from '../../test-support/saml-idp.ts'
import { startServer, type TestServer } from '../../test-support/server.ts'
import { beginSignInAt, configureSaml, postAnswer } from '../../test-support/sso.ts'

let server: TestServer
let slug: string
let orgId: string

beforeAll(async () => {
  server = await startServer()
  orgId = server.orgs[0].orgId
  slug = await configureSaml({ server, scope: { orgId, environment: 'live' } })
})
afterAll(() => server.stop())

type Options = Parameters<typeof samlifyAnswer>[1]
let people = 0
const someone = () => {
  people += 1
  return `person${people}@sso.example`
}
const signIn = async (options: Options = {}) => {
  const begun = await beginSignInAt(server, slug)
  return postAnswer(server, slug, await samlifyAnswer(begun, { email: someone(), ...options }))
}
const memberOf = (email: string) =>
  server.app.db.reader.get<{ role: string }>(
    'SELECT m.role FROM memberships m JOIN users u ON u.user_id = m.user_id WHERE u.email = ? AND m.org_id = ?',
    [email, orgId],
  )

describe('what an answer costs', () => {
  const many = (n: number) => Array.from({ length: n }, (_, k) => `group ${k}`)
  const status = '<samlp:Status>'
  const siblings = (n: number) => (xml: string) => xml.replace(status, `${'<a/>'.repeat(n)}${status}`)
  const inExtensions = (inner: string) => (xml: string) =>
    xml.replace(status, `<samlp:Extensions>${inner}</samlp:Extensions>${status}`)
  const attributes = Array.from({ length: 4000 }, (_, n) => `a${n}=""`).join(' ')

  it.each([
    ['too many elements beside each other', siblings(8000), 'too_many_elements'],
    ['too many elements in an extension', inExtensions('<a/>'.repeat(1000)), 'too_many_elements'],
    ['too many attributes', inExtensions(`<a ${attributes}/>`), 'too_many_attributes'],
    ['an element that no response has', siblings(1), 'unknown_in_response'],
  ] as const)(
    'is nothing where it has %s: it is refused before its signature is looked at',
    async (_, forge, reason) => {
      expect(await signIn({ forge })).toMatchObject({ status: 401, reason })
    },
  )

  it('is paid by no other request: signatures are verified by a thread of their own, never on the loop', async () => {
    const onTheLoop = vi.spyOn(crypto, 'createVerify')
    const jobs = vi.spyOn(WorkerThread.prototype, 'run')
    try {
      expect((await signIn({ attributes: { groups: many(900) } })).status).toBe(303)
      expect(onTheLoop).not.toHaveBeenCalled()
      // Read here, the same answer is seen by the spy: it would have told.
      const [job] = jobs.mock.lastCall ?? []
      const { settings, provider, given } = job as SamlJob
      await readAnswer(settings, provider, given)
      expect(onTheLoop).toHaveBeenCalled()
    } finally {
      onTheLoop.mockRestore()
      jobs.mockRestore()
    }
  })

  it('lets in somebody with 900 groups', async () => {
    const email = someone()
    const answer = await signIn({ email, attributes: { groups: [...many(900), 'admins'] } })
    expect(answer.status).toBe(303)
    expect((await memberOf(email))?.role).toBe('admin')
  })
})
