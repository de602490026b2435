import { builtInRoles, maxCustomRoles, permissions } from '@integrity/protocol'
import { describe, expect, it } from 'vitest'
import { refusalOf } from '../../test-support/refusal.ts'
import { allBut, describePeople, everyPermission } from './people.test-support.ts'

describePeople('custom roles', (t) => {
  const change = async (by: { headers: { cookie: string } }, roleId: string, body: object, orgId = t.orgId) =>
    (
      await t
        .portal()
        .call('portal.roles.change', { params: { orgId, roleId }, headers: by.headers, body: body as never })
    ).data
  const remove = (by: { headers: { cookie: string } }, roleId: string, orgId = t.orgId) =>
    t.portal().call('portal.roles.delete', { params: { orgId, roleId }, headers: by.headers })

  describe('portal.roles.list', () => {
    it('shows the whole matrix, and each role with its holders', async () => {
      const { orgId, owner } = await t.org()
      const role = await t.create(owner, ['session.view'], orgId)
      const holder = await t.member('reviewer', orgId)
      await t.assign(owner, holder, role.id, orgId)
      const { items, matrix } = await t.roles(holder, orgId)
      expect(items).toEqual([{ ...role, holders: 1 }])
      expect(matrix.map(({ permission }) => permission)).toEqual(everyPermission)
      for (const { permission, description, builtIn } of matrix) {
        expect(description).toBe(permissions[permission].summary)
        const held = builtInRoles.filter((name) => builtIn[name])
        expect(held).toEqual([...permissions[permission].roles])
      }
      await t.change(owner, holder, { active: false }, orgId)
      expect((await t.roles(owner, orgId)).items).toMatchObject([{ holders: 1 }])
      await t.assign(owner, holder, null, orgId)
      expect((await t.roles(owner, orgId)).items).toMatchObject([{ holders: 0 }])
    })
  })

  describe('portal.roles.create', () => {
    it('keeps a set of permissions in their own order, each once', async () => {
      const owner = await t.member('owner')
      const role = await t.create(owner, ['session.view', 'org.manage', 'session.view'])
      expect(role).toMatchObject({ permissions: ['org.manage', 'session.view'], description: '', holders: 0 })
      expect(await t.auditOf(role.id)).toEqual(['role.created'])
    })

    it('gives no permission that its maker does not hold', async () => {
      const refused = await refusalOf(t.create(await t.member('admin'), ['session.view', 'sso.manage']))
      expect(refused).toMatchObject({ code: 'forbidden', message: expect.stringMatching(/: sso\.manage$/) as string })
      const narrow = await t.holder(['role.manage', 'session.view'])
      expect(await refusalOf(t.create(narrow, ['org.manage']))).toMatchObject({ code: 'forbidden' })
      expect((await t.create(narrow, ['session.view'])).permissions).toEqual(['session.view'])
    })

    it('refuses a name that reads like one that is there, and the 51st role', async () => {
      const { orgId, owner } = await t.org()
      const make = (name: string) =>
        t.portal().call('portal.roles.create', {
          params: { orgId },
          headers: owner.headers,
          body: { name, permissions: ['session.view'] },
        })
      await make('Hiring  Desk')
      for (const name of ['hiring desk', ' HIRING DESK ', 'Ｈiring desk'])
        expect(await refusalOf(make(name)), name).toMatchObject({ code: 'conflict' })
      const { id: roleId } = (await make('Another desk')).data
      const rename = (name: string) =>
        t.portal().call('portal.roles.change', { params: { orgId, roleId }, headers: owner.headers, body: { name } })
      expect(await refusalOf(rename('hiring desk'))).toMatchObject({ code: 'conflict' })
      expect((await rename('ANOTHER desk')).data.name).toBe('ANOTHER desk')
      await Promise.all(Array.from({ length: maxCustomRoles - 2 }, (_, n) => make(`Role ${n}`)))
      expect(await refusalOf(make('one more'))).toMatchObject({
        code: 'conflict',
        message: expect.stringMatching(/50 custom roles/),
      })
    })

    it('names the path of what is wrong with it', async () => {
      const owner = await t.member('owner')
      const problem = async (body: object) => {
        const asked = t.portal().call('portal.roles.create', {
          params: { orgId: t.orgId },
          headers: owner.headers,
          body: { name: 'A role', permissions: ['session.view'], ...body } as never,
        })
        return (await refusalOf(asked)).details.map(({ path }) => path)
      }
      expect(await problem({ permissions: ['session.view', 'session.rule'] })).toEqual(['permissions.1'])
      expect(await problem({ permissions: [] })).toEqual(['permissions'])
      expect(await problem({ name: 'x'.repeat(5000) })).toEqual(['name'])
      for (const name of ['', '  ', 'a\u0007b', 'a\nb', 'a\u202eb']) expect(await problem({ name })).toEqual(['name'])
      expect(await problem({ description: 'x'.repeat(1001) })).toEqual(['description'])
      expect(await problem({ roles: [] })).toEqual(['roles'])
    })
  })

  describe('portal.roles.change', () => {
    it('is in force on the next request of its holders', async () => {
      const owner = await t.member('owner')
      const holder = await t.member('admin')
      const role = await t.create(owner, ['role.manage', 'session.view'])
      await t.assign(owner, holder, role.id)
      await t.create(holder, ['session.view'])
      await change(owner, role.id, { permissions: ['session.view'] })
      expect(await refusalOf(t.create(holder, ['session.view']))).toMatchObject({ code: 'forbidden' })
      expect(await t.auditOf(role.id)).toEqual(['role.created', 'role.changed'])
      expect(await change(owner, role.id, { permissions: ['session.view'] })).toMatchObject({ holders: 1 })
      expect(await t.auditOf(role.id)).toHaveLength(2)
    })

    it('lets nobody edit or delete a role above their own, nor widen their own', async () => {
      const owner = await t.member('owner')
      const above = await t.create(owner, ['sso.manage'])
      const admin = await t.member('admin')
      expect(await refusalOf(change(admin, above.id, { name: 'Mine' }))).toMatchObject({ code: 'forbidden' })
      expect(await refusalOf(remove(admin, above.id))).toMatchObject({ code: 'forbidden' })
      const holder = await t.holder(['role.manage', 'session.view'])
      const { customRole } = (await t.list(owner, { q: holder.email })).items[0]!
      const widened = change(holder, customRole?.id ?? '', { permissions: ['role.manage', 'org.manage'] })
      expect(await refusalOf(widened)).toMatchObject({ code: 'forbidden' })
    })
  })

  describe('portal.roles.delete', () => {
    it('returns every holder to their built-in role, each with an audit row', async () => {
      const { orgId, owner } = await t.org()
      const role = await t.create(owner, ['session.view'], orgId)
      const holders = await Promise.all([
        t.member('admin', orgId),
        t.member('admin', orgId),
        t.member('reviewer', orgId),
      ])
      for (const holder of holders) await t.assign(owner, holder, role.id, orgId)
      expect(await refusalOf(t.create(holders[0]!, ['session.view'], orgId))).toMatchObject({ code: 'forbidden' })
      await remove(owner, role.id, orgId)
      for (const holder of holders) expect(await t.auditOf(holder.id)).toEqual(['role.assigned', 'role.unassigned'])
      expect(await t.create(holders[0]!, ['session.view'], orgId)).toMatchObject({ holders: 0 })
      expect((await t.list(owner, {}, orgId)).items.map(({ customRole }) => customRole)).toEqual([
        null,
        null,
        null,
        null,
      ])
      expect(await refusalOf(remove(owner, role.id, orgId))).toMatchObject({ code: 'not_found' })
    })

    it('raises nobody above who deletes it', async () => {
      const owner = await t.member('owner')
      const kept = await t.create(owner, ['session.view'])
      await t.assign(owner, await t.member('admin'), kept.id)
      const clerk = await t.holder(['role.manage', 'session.view'])
      expect(await refusalOf(remove(clerk, kept.id))).toMatchObject({ code: 'forbidden' })
    })
  })

  describe('portal.roles.assign', () => {
    it('is refused for an owner, for oneself, for what one does not hold, and for a role of another organisation', async () => {
      const owner = await t.member('owner')
      const admin = await t.member('admin')
      const role = await t.create(owner, ['session.view'])
      const above = await t.create(owner, ['sso.manage', 'session.view'])
      expect(await refusalOf(t.assign(owner, await t.member('owner'), role.id))).toMatchObject({ code: 'conflict' })
      expect(await refusalOf(t.assign(admin, admin, role.id))).toMatchObject({ code: 'forbidden' })
      expect(await refusalOf(t.assign(owner, owner, role.id))).toMatchObject({ code: 'forbidden' })
      const reviewer = await t.member('reviewer')
      expect(await refusalOf(t.assign(admin, reviewer, above.id))).toMatchObject({ code: 'forbidden' })
      expect(await refusalOf(t.assign(admin, await t.member('owner'), role.id))).toMatchObject({ code: 'forbidden' })
      const elsewhere = await t.org()
      const foreign = await t.create(elsewhere.owner, ['session.view'], elsewhere.orgId)
      expect(await refusalOf(t.assign(owner, reviewer, foreign.id))).toMatchObject({ code: 'not_found' })
      expect(await refusalOf(t.assign(owner, elsewhere.owner, role.id))).toMatchObject({ code: 'not_found' })
    })

    it('of every permission makes no owner: owners are beyond its reach', async () => {
      const owner = await t.member('owner')
      const holder = await t.holder(everyPermission, 'admin')
      const params = { orgId: t.orgId, membershipId: owner.id }
      const deactivated = t.portal().call('portal.members.change', {
        params,
        headers: holder.headers,
        body: { active: false },
      })
      expect(await refusalOf(deactivated)).toMatchObject({ code: 'forbidden' })
      expect(await refusalOf(t.add(holder, { email: 'o@example.org', role: 'owner' }))).toMatchObject({
        code: 'forbidden',
        message: 'only an owner can make another member an owner',
      })
    })

    it('clears to the built-in role only for who holds what that gives', async () => {
      const owner = await t.member('owner')
      const clerk = await t.holder(['role.manage', 'session.view'])
      const target = await t.holder(['session.view'], 'admin')
      expect(await refusalOf(t.assign(clerk, target, null))).toMatchObject({ code: 'forbidden' })
      expect(await t.assign(owner, target, null)).toMatchObject({ customRole: null, role: 'admin' })
    })

    it('takes the place of the built-in permissions, which may be fewer or more', async () => {
      const owner = await t.member('owner')
      const more = await t.holder(allBut('member.manage'), 'reviewer')
      expect((await t.create(more, ['sso.manage'])).permissions).toEqual(['sso.manage'])
      expect(await refusalOf(t.add(more, { email: 'more@example.org' }))).toMatchObject({ code: 'forbidden' })
      const orgs = await t.portal().call('portal.orgs.list', { headers: more.headers })
      expect(orgs.data.items).toMatchObject([
        {
          id: t.orgId,
          role: 'reviewer',
          customRole: { name: expect.any(String) as string },
          permissions: allBut('member.manage'),
        },
      ])
      expect(owner.id).not.toBe('')
    })
  })
})
