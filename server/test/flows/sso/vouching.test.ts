import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { unlinkAccount } from '../../../src/domains/access/sso/unlinking.service.ts'
import { operator } from '../../../src/kernel/identity/actor.ts'
import { everyEngine } from '../../test-support/engines.ts'
import { secured } from '../../test-support/factors.ts'
import { readOutbox } from '../../test-support/mail.ts'
import { addMember, addPerson, portalCookie } from '../../test-support/portal.ts'
import { refusalOf } from '../../test-support/refusal.ts'
import { samlifyAnswer } from '../../test-support/saml-idp.ts'
import { deskOperator, startServer, type TestServer, testPassword } from '../../test-support/server.ts'
import { seatOf, vouchedSeatOf } from '../../test-support/sign-ins.ts'
import { beginSignInAt, configureSaml, postAnswer, verifyDomain } from '../../test-support/sso.ts'

for (const engine of everyEngine())
  describe(`a sign-in that one organisation vouches for (${engine})`, () => {
    let server: TestServer
    let ours: string
    let theirs: string
    let slug: string
    beforeAll(async () => {
      server = await startServer({ engine })
      ours = server.orgs[0].orgId
      theirs = server.orgs[1].orgId
      // The members of the other organisation have addresses of a domain that this one has proved.
      await verifyDomain(server, ours, 'example.org')
      slug = await configureSaml({ server, scope: { orgId: ours, environment: 'live' } })
    })
    afterAll(() => server.stop())

    const victim = () => addMember(server, 'owner', theirs)
    const enter = async (email: string) => {
      const begun = await beginSignInAt(server, slug)
      const kept: Record<string, string> = begun.kept === undefined ? {} : { cookie: begun.kept.split(';')[0] ?? '' }
      const answer = await postAnswer(server, slug, await samlifyAnswer(begun, { email }), kept)
      const cookies = answer.cookies.map((line) => line.split(';')[0]).filter((pair) => pair?.includes('portal_access'))
      return { status: answer.status, headers: { cookie: cookies.join('; ') } }
    }
    const read = async (path: string, headers: Record<string, string>) => {
      const answer = await fetch(`${server.url}${path}`, { headers })
      const body = (await answer.json()) as { error?: { reason?: string } }
      return answer.status === 200 ? 200 : [answer.status, body.error?.reason]
    }
    const mailsTo = async (email: string) => {
      await server.processAll()
      return (await readOutbox(server)).filter(({ to }) => to === email)
    }
    const tokenIn = (text: string | undefined) => /#agree\.(vch_\w+)/.exec(text ?? '')?.[1] ?? ''
    const agree = (headers: Record<string, string>, body: { password?: string; token?: string }) =>
      server.client().call('sso.agree', { headers, body })
    const rowsOf = (orgId: string, userId: string) =>
      server.app.db.reader.all<{ action: string; payload: string | null }>(
        `SELECT l.action, p.payload FROM audit_log l
         LEFT JOIN audit_payloads p ON p.org_id = l.org_id AND p.seq = l.seq
         WHERE l.org_id = ? AND l.actor_id = ? ORDER BY l.seq`,
        [orgId, userId],
      )

    it('waits for the second factor of the account, whoever vouches for it', async () => {
      const { email } = await secured(server, ours)
      const begun = await beginSignInAt(server, slug)
      const kept: Record<string, string> = begun.kept === undefined ? {} : { cookie: begun.kept.split(';')[0] ?? '' }
      const { status, location, cookies } = await postAnswer(server, slug, await samlifyAnswer(begun, { email }), kept)
      expect(status).toBe(303)
      expect(location).toMatch(/\/account\/#step\./)
      expect(cookies.filter((line) => /portal_(?:access|refresh)=[^;]/.test(line))).toEqual([])
    })

    it('opens no other organisation, nor the account, and the account is told', async () => {
      const { email, userId } = await victim()
      const { status, headers } = await enter(email)
      expect(status).toBe(303)
      expect(await read(`/v1/orgs/${ours}`, headers)).toBe(200)
      for (const path of [`/v1/orgs/${theirs}`, `/v1/orgs/${theirs}/members`, `/v1/orgs/${theirs}/sso`])
        expect(await read(path, headers), path).toEqual([403, 'not_agreed'])
      expect(await read('/v1/auth/sign-ins', headers)).toEqual([403, 'not_agreed'])
      const { data } = await server.client().call('auth.me', { headers })
      expect(data.memberships.map(({ org }) => org.id)).toEqual([ours])
      const own = await server.client().call('portal.orgs.list', { headers })
      expect(own.data.items.map(({ id }) => id)).toEqual([ours])
      const mails = await mailsTo(email)
      expect(mails.map(({ subject }) => subject)).toEqual([expect.stringMatching(/is linked to the single sign-on of/)])
      // The other organisation has no sign-in to note; this one names the identity provider.
      expect((await rowsOf(theirs, userId)).filter(({ action }) => action === 'user.signed_in')).toEqual([])
      const here = await rowsOf(ours, userId)
      for (const action of ['sso.identity_linked', 'user.signed_in'])
        expect(here.find((row) => row.action === action)?.payload, action).toContain('idp.example')
      // Its own password opens what it opened before.
      expect(await read(`/v1/orgs/${theirs}`, await seatOf(server, userId))).toBe(200)
      // Again, it is linked already: nothing more is mailed.
      await enter(email)
      expect(await mailsTo(email)).toHaveLength(1)
    })

    it('counts everywhere once the account agreed by its password, and every organisation notes it', async () => {
      const { email, userId } = await victim()
      const { headers } = await enter(email)
      expect(await refusalOf(agree(headers, { password: 'not the password' }))).toMatchObject({ status: 403 })
      expect(await read(`/v1/orgs/${theirs}`, headers)).toEqual([403, 'not_agreed'])
      expect((await agree(headers, { password: testPassword })).data).toEqual({ agreed: true, orgId: ours })
      expect(await read(`/v1/orgs/${theirs}`, headers)).toBe(200)
      for (const orgId of [ours, theirs])
        expect((await rowsOf(orgId, userId)).some(({ action }) => action === 'sso.agreed')).toBe(true)
      const again = await enter(email)
      expect(await read(`/v1/orgs/${theirs}`, again.headers)).toBe(200)
      expect((await rowsOf(theirs, userId)).find(({ action }) => action === 'user.signed_in')?.payload).toContain(ours)
    })

    it('or by the link that was mailed to it, which works once and for no other account', async () => {
      const { email } = await victim()
      const { headers } = await enter(email)
      const token = tokenIn((await mailsTo(email))[0]?.text)
      const other = await enter((await victim()).email)
      expect(await refusalOf(agree(other.headers, { token }))).toMatchObject({ status: 403 })
      expect((await agree(headers, { token })).data.agreed).toBe(true)
      expect(await read(`/v1/orgs/${theirs}`, headers)).toBe(200)
      expect(await refusalOf(agree(headers, { token }))).toMatchObject({ status: 409 })
      // Another one is sent on demand, three an hour.
      for (let n = 0; n < 2; n++) await server.client().call('sso.agreeLink', { headers: other.headers })
      expect(await refusalOf(server.client().call('sso.agreeLink', { headers: other.headers }))).toMatchObject({
        status: 429,
      })
    })

    it('is no operator of the access desk', async () => {
      const person = await addPerson(server, deskOperator)
      const headers = await vouchedSeatOf(server, { userId: person.userId, orgId: ours })
      expect(await read('/v1/access-requests', headers)).toEqual([403, 'not_agreed'])
    })

    it('accepts no invite of another organisation in the name of the account', async () => {
      const { email, userId } = await victim()
      const { headers } = await enter(email)
      const owner = await seatOf(server, userId)
      const { data: third } = await server
        .client()
        .call('portal.orgs.create', { headers: owner, body: { name: 'Third' } })
      expect(await read(`/v1/orgs/${third.id}`, headers)).toEqual([403, 'not_agreed'])
      expect(
        await refusalOf(server.client().call('portal.orgs.create', { headers, body: { name: 'Fourth' } })),
      ).toMatchObject({ status: 403 })
    })

    it('ends, with what the account agreed to, when the operator unlinks it', async () => {
      const { email, userId } = await victim()
      const { headers } = await enter(email)
      const token = tokenIn((await mailsTo(email))[0]?.text)
      await agree(headers, { password: testPassword })
      expect(await unlinkAccount(server.app, { orgId: ours, email, actor: operator })).toBe(1)
      expect(await read(`/v1/orgs/${ours}`, headers)).toEqual([401, undefined])
      const again = await enter(email)
      expect(await read(`/v1/orgs/${theirs}`, again.headers)).toEqual([403, 'not_agreed'])
      // A link that was mailed before has ended with it.
      expect(await refusalOf(agree(again.headers, { token }))).toMatchObject({ status: 403 })
      // Each organisation that noted the beginning of the sign-in notes its end.
      for (const orgId of [ours, theirs])
        expect((await rowsOf(orgId, userId)).some(({ action }) => action === 'user.session_revoked')).toBe(true)
      const unlinked = await server.app.db.reader.all(
        "SELECT 1 AS one FROM audit_log WHERE org_id = ? AND action = 'sso.identity_unlinked' AND target = ?",
        [ours, userId],
      )
      expect(unlinked).toHaveLength(1)
    })

    it('ends everywhere when the organisation that vouches takes the membership away', async () => {
      const { email } = await victim()
      const { headers } = await enter(email)
      await agree(headers, { password: testPassword })
      expect(await read(`/v1/orgs/${theirs}`, headers)).toBe(200)
      const owner = await portalCookie(server, 'owner', ours)
      const { data } = await server
        .client()
        .call('portal.members.list', { params: { orgId: ours }, headers: owner, query: { limit: 100 } })
      const membershipId = data.items.find((member) => member.email === email)?.id ?? ''
      const body = { active: false }
      await server
        .client()
        .call('portal.members.change', { params: { orgId: ours, membershipId }, headers: owner, body })
      expect(await read(`/v1/orgs/${theirs}`, headers)).toEqual([401, undefined])
    })
  })
