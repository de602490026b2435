import type { Permission } from '@integrity/protocol'
import { describe, expect, it } from 'vitest'
import { expireInvite, freshAddress } from '../../test-support/invites.ts'
import { goodPassword, mailedTokens } from '../../test-support/password-links.ts'
import { addPerson, postLogin, signIn } from '../../test-support/portal.ts'
import { testPassword } from '../../test-support/server.ts'
import { seatOf } from '../../test-support/sign-ins.ts'
import { allBut, everyPermission, type Seat } from '../people/people.test-support.ts'
import { describeInvites } from './invites.test-support.ts'

const newcomer = { name: 'Asha Rao', password: goodPassword }

describeInvites('accepting an invite', (t, { invite, invites, resend, revoke, tokenOf, inspect, accept }) => {
  const membersOf = (email: string) =>
    t.server.app.db.reader.all<{ id: string; orgId: string }>(
      `SELECT m.membership_id AS id, m.org_id AS "orgId" FROM memberships m JOIN users u ON u.user_id = m.user_id WHERE u.email = ?`,
      [email],
    )

  it('of a new address makes the account and the member, and signs in', async () => {
    const owner = await t.member('owner')
    const made = await invite(owner, { role: 'interviewer', message: 'Welcome!' })
    const token = await tokenOf(made)
    expect(await inspect(token)).toMatchObject({ hasAccount: false, role: 'interviewer', message: 'Welcome!' })
    const done = await accept({ token, ...newcomer })
    expect(done.status, JSON.stringify(done.body)).toBe(200)
    const membership = { email: made.email, name: 'Asha Rao', role: 'interviewer', active: true, customRole: null }
    expect(done.body.data).toMatchObject({ org: { id: t.orgId }, membership, user: { email: made.email } })
    const me = await t.portal().call('auth.me', { headers: done.cookie })
    expect(me.data).toMatchObject({ user: { email: made.email }, memberships: [{ org: { id: t.orgId } }] })
    expect((await postLogin(t.server, { email: made.email, password: goodPassword })).status).toBe(200)
    const id = done.body.data?.membership.id ?? ''
    expect(await t.auditOf(made.id)).toEqual(['invite.created', 'invite.accepted'])
    expect(await t.auditOf(id)).toEqual(['member.added'])
    const { items } = await invites(owner, { status: 'accepted' })
    expect(items[0]).toMatchObject({ id: made.id, status: 'accepted', membershipId: id })
    expect(await inspect(token)).toMatchObject({ status: 'accepted', hasAccount: false })
  })

  it('gives the custom role, and the built-in one where that role is gone meanwhile', async () => {
    const owner = await t.member('owner')
    const role = await t.create(owner, ['session.view'])
    const [kept, left] = [
      await invite(owner, { customRoleId: role.id }),
      await invite(owner, { customRoleId: role.id, role: 'interviewer' }),
    ]
    const first = await accept({ token: await tokenOf(kept), ...newcomer })
    expect(first.body.data?.membership.customRole).toEqual({ id: role.id, name: role.name })
    await t
      .portal()
      .call('portal.roles.delete', { params: { orgId: t.orgId, roleId: role.id }, headers: owner.headers })
    const second = await accept({ token: await tokenOf(left), ...newcomer })
    expect(second.body.data?.membership).toMatchObject({ role: 'interviewer', customRole: null })
  })

  describe('of whoever cannot give that role any more', () => {
    const refused = async (token: string) => {
      const { status, body } = await accept({ token, ...newcomer })
      return [status, body.error?.reason]
    }

    it('is over with their membership, and says so in the list', async () => {
      const owner = await t.member('owner')
      const admin = await t.member('admin')
      const [made, other] = [await invite(admin, { role: 'admin' }), await invite(owner)]
      const token = await tokenOf(made)
      await t.change(owner, admin, { active: false })
      expect(await refused(token)).toEqual([409, 'revoked'])
      expect(await inspect(token)).toMatchObject({ status: 'revoked' })
      expect(await t.auditOf(made.id)).toEqual(['invite.created', 'invite.revoked'])
      expect(await membersOf(made.email)).toEqual([])
      expect((await accept({ token: await tokenOf(other), ...newcomer })).status).toBe(200)
      // Who sends it again gives the role.
      await t.change(owner, admin, { active: true })
      expect(await refused(token)).toEqual([409, 'revoked'])
    })

    it('is over with their role, by whatever way that changed', async () => {
      const owner = await t.member('owner')
      const [demoted, held, kept] = [await t.member('admin'), await t.member('admin'), await t.member('admin')]
      const tokens = [await invite(demoted, { role: 'admin' }), await invite(held), await invite(kept)]
      const [first, second, third] = await Promise.all(tokens.map(tokenOf))
      await t.change(owner, demoted, { role: 'reviewer' })
      const role = await t.create(owner, ['member.manage', 'session.view'])
      await t.assign(owner, held, role.id)
      expect(await t.auditOf(tokens[0]?.id ?? '')).toEqual(['invite.created', 'invite.revoked'])
      for (const token of [first, second]) expect(await refused(token ?? '')).toEqual([409, 'revoked'])
      expect((await accept({ token: third ?? '', ...newcomer })).status).toBe(200)
    })

    const statusOf = async (owner: Seat, { id }: { readonly id: string }) =>
      (await invites(owner)).items.find((one) => one.id === id)?.status
    const changeRole = (owner: Seat, roleId: string, permissions: readonly Permission[]) =>
      t.portal().call('portal.roles.change', {
        params: { orgId: t.orgId, roleId },
        headers: owner.headers,
        body: { permissions: [...permissions] },
      })

    it('is over in the list as soon as their custom role is given, narrowed or deleted', async () => {
      const owner = await t.member('owner')
      const [wide, narrow] = [await t.create(owner, everyPermission), await t.create(owner, ['member.manage'])]
      const [assigned, holder, former] = [
        await t.member('admin'),
        await t.member('reviewer'),
        await t.member('reviewer'),
      ]
      const deleted = await t.create(owner, everyPermission)
      await t.assign(owner, holder, wide.id)
      await t.assign(owner, former, deleted.id)
      const made = [await invite(assigned), await invite(holder), await invite(former)]
      const kept = await invite(owner)
      const tokens = await Promise.all(made.map(tokenOf))
      await t.assign(owner, assigned, narrow.id)
      // The words of a role take nothing from anybody.
      await t.portal().call('portal.roles.change', {
        params: { orgId: t.orgId, roleId: wide.id },
        headers: owner.headers,
        body: { description: 'Other words.' },
      })
      expect(await Promise.all(made.map((one) => statusOf(owner, one)))).toEqual(['revoked', 'pending', 'pending'])
      await changeRole(owner, wide.id, allBut('member.manage'))
      await t.portal().call('portal.roles.delete', { params: { orgId: t.orgId, roleId: deleted.id }, ...owner })
      for (const [index, one] of made.entries()) {
        expect(await statusOf(owner, one)).toBe('revoked')
        expect(await inspect(tokens[index] ?? '')).toMatchObject({ status: 'revoked' })
        expect(await t.auditOf(one.id)).toEqual(['invite.created', 'invite.revoked'])
      }
      expect(await statusOf(owner, kept)).toBe('pending')
    })

    it('is over when the role that it offers has become more than they hold', async () => {
      const owner = await t.member('owner')
      const admin = await t.member('admin')
      const role = await t.create(owner, ['session.view'])
      const [made, kept] = [
        await invite(admin, { customRoleId: role.id }),
        await invite(owner, { customRoleId: role.id }),
      ]
      const token = await tokenOf(made)
      await changeRole(owner, role.id, ['session.view', 'sso.manage'])
      expect(await statusOf(owner, made)).toBe('revoked')
      expect(await refused(token)).toEqual([409, 'revoked'])
      expect(await statusOf(owner, kept)).toBe('pending')
    })

    it('goes on with whoever sent it again', async () => {
      const owner = await t.member('owner')
      const admin = await t.member('admin')
      const made = await invite(admin)
      await resend(owner, made.id)
      await t.change(owner, admin, { active: false })
      expect((await accept({ token: await tokenOf(made), ...newcomer })).status).toBe(200)
      const second = await invite(owner)
      await resend(await t.member('admin'), second.id)
      expect((await accept({ token: await tokenOf(second), ...newcomer })).status).toBe(200)
    })
  })

  it('of 50 at once makes one membership and one account, and tells the others that it was accepted', async () => {
    const made = await invite(await t.member('owner'))
    const token = await tokenOf(made)
    const done = await Promise.all(Array.from({ length: 50 }, () => accept({ token, ...newcomer })))
    expect(done.filter(({ status }) => status === 200)).toHaveLength(1)
    // Those who came to look when the account was there are asked for it.
    for (const { status, body } of done.filter((answer) => answer.status !== 200))
      expect([409, 401], JSON.stringify(body)).toContain(status)
    expect(await membersOf(made.email)).toHaveLength(1)
    expect(await t.auditOf(made.id)).toEqual(['invite.created', 'invite.accepted'])
  })

  it('of 50 at once by a signed-in account makes one membership', async () => {
    const person = await addPerson(t.server)
    const token = await tokenOf(await invite(await t.member('owner'), { email: person.email }))
    const headers = await seatOf(t.server, person.userId)
    const done = await Promise.all(Array.from({ length: 50 }, () => accept({ token }, headers)))
    expect(done.filter(({ status }) => status === 200)).toHaveLength(1)
    const others = done.filter(({ status }) => status !== 200).map(({ status, body }) => [status, body.error?.reason])
    expect(others).toEqual(others.map(() => [409, 'accepted']))
    expect(await membersOf(person.email)).toHaveLength(1)
  })

  it('of one new address in two organisations at once makes one account, and the later one is asked for it', async () => {
    const [first, second] = [await t.org(), await t.org()]
    const email = freshAddress()
    const passwords = [goodPassword, 'seven kettles beside a slow river']
    const tokens = [
      await tokenOf(await invite(first.owner, { email }, first.orgId)),
      await tokenOf(await invite(second.owner, { email }, second.orgId)),
    ]
    const done = await Promise.all(
      tokens.map((token, n) => accept({ token, name: 'Asha Rao', password: passwords[n] })),
    )
    const won = done.findIndex(({ status }) => status === 200)
    expect(new Set(done.map(({ status }) => status))).toEqual(new Set([200, 401]))
    expect(await membersOf(email)).toHaveLength(1)
    expect((await inspect(tokens[1 - won] ?? '')).status).toBe('pending')
    const later = await accept({ token: tokens[1 - won], password: passwords[won] })
    expect(later.status, JSON.stringify(later.body)).toBe(200)
    expect(await membersOf(email)).toHaveLength(2)
  })

  it('races with revoking: the member is made or the invite is revoked, never both', async () => {
    const owner = await t.member('owner')
    for (let round = 0; round < 5; round++) {
      const person = await addPerson(t.server)
      const made = await invite(owner, { email: person.email })
      const token = await tokenOf(made)
      const headers = await seatOf(t.server, person.userId)
      const [accepted, revoked] = await Promise.allSettled([accept({ token }, headers), revoke(owner, made.id)])
      const joined = accepted.status === 'fulfilled' && accepted.value.status === 200
      expect(revoked.status).toBe(joined ? 'rejected' : 'fulfilled')
      expect(await membersOf(person.email)).toHaveLength(joined ? 1 : 0)
    }
  })

  describe('for an address that has an account', () => {
    const invited = async () => {
      const person = await addPerson(t.server)
      const made = await invite(await t.member('owner'), { email: person.email.toUpperCase() })
      return { ...person, token: await tokenOf(made) }
    }

    it('asks for that account: its password, which is not set anew', async () => {
      const { userId, email, token } = await invited()
      expect(await inspect(token)).toMatchObject({ hasAccount: true, email })
      const bare = await accept({ token })
      expect([bare.status, bare.body.error?.reason]).toEqual([401, 'account_needed'])
      expect((await accept({ token, ...newcomer })).status).toBe(401)
      expect(await membersOf(email)).toEqual([])
      const done = await accept({ token, name: 'Other', password: testPassword })
      expect([done.status, done.body.data?.membership.userId]).toEqual([200, userId])
      expect(done.body.data?.membership.name).toBe(null)
      expect((await postLogin(t.server, { email, password: testPassword })).status).toBe(200)
    })

    it('gives no password to one that has none yet: that takes a link of its own', async () => {
      const owner = await t.member('owner')
      const { orgId, owner: other } = await t.org()
      const email = freshAddress()
      await t.add(other, { email }, orgId)
      const token = await tokenOf(await invite(owner, { email }))
      expect(await inspect(token)).toMatchObject({ hasAccount: true })
      expect((await accept({ token, ...newcomer })).status).toBe(401)
      expect((await postLogin(t.server, { email, password: goodPassword })).status).toBe(401)
      const [link = ''] = await mailedTokens(t.server, email)
      await t.portal().call('auth.password.reset', { body: { token: link, password: goodPassword } })
      expect((await accept({ token, password: goodPassword })).status).toBe(200)
    })

    it('takes it signed in, from a page of the service alone', async () => {
      const { email, token } = await invited()
      const { cookie } = await signIn(t.server, email)
      expect((await accept({ token }, { cookie, origin: 'https://elsewhere.example' })).status).toBe(403)
      const done = await accept({ token }, { cookie })
      expect([done.status, done.body.data?.user.email]).toEqual([200, email])
      expect((await t.portal().call('auth.me', { headers: done.cookie })).data.memberships).toHaveLength(1)
    })

    it('counts wrong passwords as a sign-in does', async () => {
      const { token } = await invited()
      const answers: number[] = []
      for (let n = 0; n < 11; n++) answers.push((await accept({ token, password: `wrong ${n}` })).status)
      expect(answers).toEqual([...Array.from({ length: 10 }, () => 401), 429])
    })
  })

  it('by whoever is signed in with another address is refused, the same whether or not the invited one has an account', async () => {
    const owner = await t.member('owner')
    const known = await addPerson(t.server)
    const other = await seatOf(t.server, (await addPerson(t.server)).userId)
    const answers = []
    for (const email of [known.email, undefined]) {
      const token = await tokenOf(await invite(owner, email === undefined ? {} : { email }))
      const { status, body } = await accept({ token }, other)
      answers.push({ status, error: body.error })
    }
    expect(answers[0]).toMatchObject({ status: 403, error: { code: 'forbidden', reason: 'wrong_address' } })
    expect(answers[1]).toEqual(answers[0])
  })

  it('by who is a member already, or was one, is answered as such once they have shown who they are', async () => {
    const owner = await t.member('owner')
    const person = await addPerson(t.server)
    const token = await tokenOf(await invite(owner, { email: person.email }))
    const member = await t.add(owner, { email: person.email })
    const before = await accept({ token })
    expect([before.status, before.body.error?.reason]).toEqual([401, 'account_needed'])
    const active = await accept({ token, password: testPassword })
    expect([active.status, active.body.error?.reason]).toEqual([409, 'already_member'])
    await t.change(owner, member, { active: false })
    const deactivated = await accept({ token, password: testPassword })
    expect([deactivated.status, deactivated.body.error?.reason]).toEqual([409, 'deactivated'])
    expect(deactivated.cookie.cookie).toBe('')
  })

  it('needs a name and a password that is none of the weak ones, for a new account', async () => {
    const token = await tokenOf(await invite(await t.member('owner')))
    for (const [body, path] of [
      [{ password: goodPassword }, 'name'],
      [{ name: 'Asha' }, 'password'],
      [{ name: 'Asha', password: 'short' }, 'password'],
      [{ name: 'a'.repeat(5000), password: goodPassword }, 'name'],
      [{ name: 'A\u0007', password: goodPassword }, 'name'],
    ] as const) {
      const refused = await accept({ token, ...body })
      expect([refused.status, refused.body.error?.details?.map((detail) => detail.path)]).toEqual([400, [path]])
    }
    expect((await inspect(token)).status).toBe('pending')
  })

  it('is refused with its reason once it was accepted, revoked, replaced or expired, and of a token that is none', async () => {
    const owner = await t.member('owner')
    const made = await Promise.all(Array.from({ length: 4 }, () => invite(owner)))
    const tokens = await Promise.all(made.map(tokenOf))
    const ids = made.map(({ id }) => id)
    await accept({ token: tokens[0], ...newcomer })
    await revoke(owner, ids[1] ?? '')
    await resend(owner, ids[2] ?? '')
    await expireInvite(t.server, ids[3] ?? '')
    for (const [n, reason] of ['accepted', 'revoked', 'replaced', 'expired'].entries()) {
      const refused = await accept({ token: tokens[n], ...newcomer })
      expect([refused.status, refused.body.error?.reason]).toEqual([409, reason])
      expect(await inspect(tokens[n] ?? '')).toMatchObject({ status: reason, hasAccount: false })
    }
    for (const token of [`inv_${'0'.repeat(32)}`, `own_${'0'.repeat(32)}`, t.server.orgs[0].liveKey, ids[1]])
      expect((await accept({ token, ...newcomer })).status).toBe(404)
  })
})
