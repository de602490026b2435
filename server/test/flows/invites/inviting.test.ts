import { inviteDays, mailsPerMailbox, mailsPerOrg, maxPendingInvites } from '@integrity/protocol'
import { describe, expect, it } from 'vitest'
import { insertInvite } from '../../../src/domains/access/invites/invites.store.ts'
import { countAttempt } from '../../../src/kernel/attempts/attempts.store.ts'
import { expireInvite, freshAddress } from '../../test-support/invites.ts'
import { addPerson } from '../../test-support/portal.ts'
import { refusalOf } from '../../test-support/refusal.ts'
import { seatOf } from '../../test-support/sign-ins.ts'
import { statementsOf } from '../../test-support/statements.ts'
import { describeInvites } from './invites.test-support.ts'

const dayMs = 86_400_000

describeInvites('inviting to an organisation', (t, { invite, invites, resend, revoke, tokenOf, inspect }) => {
  describe('portal.invites.create', () => {
    it('answers the invite as it waits, without its link, and leaves its audit row', async () => {
      const owner = await t.member('owner')
      const made = await invite(owner, { email: ' New.Guest@EXAMPLE.org ', role: 'interviewer', message: 'Welcome!' })
      const now = t.server.clock.now()
      expect(made).toEqual({
        id: expect.stringMatching(/^inv_/) as string,
        email: 'new.guest@example.org',
        role: 'interviewer',
        customRole: null,
        status: 'pending',
        delivery: 'queued',
        invitedBy: owner.userId,
        message: 'Welcome!',
        createdAt: new Date(now).toISOString(),
        sentAt: null,
        expiresAt: new Date(now + inviteDays * dayMs).toISOString(),
        acceptedAt: null,
        revokedAt: null,
        membershipId: null,
      })
      expect(await t.auditOf(made.id)).toEqual(['invite.created'])
      expect(await inspect(await tokenOf(made))).toMatchObject({ email: made.email, status: 'pending' })
    })

    it('answers the same, by the same statements, whether or not the address has an account', async () => {
      const owner = await t.member('owner')
      const { email } = await addPerson(t.server)
      // That a member was here is noted at the first request.
      await invite(owner)
      const [known, stranger] = [
        await statementsOf(t.server, () => invite(owner, { email })),
        await statementsOf(t.server, () => invite(owner)),
      ]
      expect(known.seen.length).toBeGreaterThan(5)
      expect(known.seen).toEqual(stranger.seen)
      const same = { id: '', email: '' }
      expect({ ...known.answer, ...same }).toEqual({ ...stranger.answer, ...same })
    })

    it('makes one pending invite of an address, and the second names the first, of 20 at once too', async () => {
      const owner = await t.member('owner')
      const email = freshAddress()
      const asked = await Promise.allSettled(Array.from({ length: 20 }, () => invite(owner, { email })))
      const done = asked.flatMap((outcome) => (outcome.status === 'fulfilled' ? [outcome.value] : []))
      expect(done).toHaveLength(1)
      const refused = await refusalOf(invite(owner, { email: email.toUpperCase() }))
      expect(refused).toMatchObject({
        code: 'conflict',
        message: expect.stringContaining(done[0]?.id ?? '?') as string,
      })
      const { orgId, owner: other } = await t.org()
      expect(await invite(other, { email }, orgId)).toMatchObject({ status: 'pending' })
    })

    it('takes the place of one that has expired or was revoked', async () => {
      const owner = await t.member('owner')
      const email = freshAddress()
      const expired = await invite(owner, { email })
      await expireInvite(t.server, expired.id)
      const revoked = await invite(owner, { email })
      await revoke(owner, revoked.id)
      const last = await invite(owner, { email })
      const { items } = await invites(owner, { limit: 100 })
      const statuses = [last, revoked, expired].map(({ id }) => items.find((item) => item.id === id)?.status)
      expect(statuses).toEqual(['pending', 'revoked', 'expired'])
    })

    it('refuses who is a member already, and says what to do about one who was deactivated', async () => {
      const owner = await t.member('owner')
      const member = await t.member('reviewer')
      expect(await refusalOf(invite(owner, { email: member.email }))).toMatchObject({
        code: 'conflict',
        message: `this is a member already: ${member.id}`,
      })
      await t.change(owner, member, { active: false })
      expect(await refusalOf(invite(owner, { email: member.email }))).toMatchObject({
        code: 'conflict',
        message: `this member is deactivated; reactivate ${member.id}`,
      })
    })

    it('lets nobody give what they do not hold, and only owners make owners', async () => {
      const [owner, admin] = [await t.member('owner'), await t.member('admin')]
      expect(await refusalOf(invite(admin, { role: 'owner' }))).toMatchObject({
        code: 'forbidden',
        message: 'only an owner can make another member an owner',
      })
      expect(await invite(admin, { role: 'admin' })).toMatchObject({ role: 'admin' })
      expect(await invite(owner, { role: 'owner' })).toMatchObject({ role: 'owner' })
      const clerk = await t.holder(['member.manage', 'session.view', 'evidence.list'])
      expect(await refusalOf(invite(clerk, { role: 'reviewer' }))).toMatchObject({
        code: 'forbidden',
        message: expect.stringContaining('evidence.view') as string,
      })
    })

    it('offers a custom role of the organisation, to who may assign them and holds as much', async () => {
      const [owner, admin] = [await t.member('owner'), await t.member('admin')]
      const role = await t.create(owner, ['session.view'])
      const made = await invite(admin, { customRoleId: role.id })
      expect(made.customRole).toEqual({ id: role.id, name: role.name })
      const beyond = await t.create(owner, ['sso.manage'])
      expect(await refusalOf(invite(admin, { customRoleId: beyond.id }))).toMatchObject({
        code: 'forbidden',
        message: expect.stringContaining('sso.manage') as string,
      })
      const hires = await t.holder(['member.manage', 'session.view', 'evidence.list', 'evidence.view', 'report.view'])
      expect(await refusalOf(invite(hires, { customRoleId: role.id }))).toMatchObject({
        code: 'forbidden',
        message: expect.stringContaining('role.manage') as string,
      })
      expect(await refusalOf(invite(owner, { role: 'owner', customRoleId: role.id }))).toMatchObject({
        code: 'conflict',
      })
      const { orgId, owner: other } = await t.org()
      const foreign = await t.create(other, ['session.view'], orgId)
      for (const customRoleId of [foreign.id, 'rol_0', 'mem_'])
        expect(await refusalOf(invite(owner, { customRoleId }))).toMatchObject({ code: 'not_found' })
    })

    it('refuses what is no address, no role or no words, and says where', async () => {
      const owner = await t.member('owner')
      for (const [body, path] of [
        [{ email: 'nobody' }, 'email'],
        [{ email: 'a b@example.org' }, 'email'],
        [{ email: `${'a'.repeat(310)}@example.org` }, 'email'],
        [{ email: 'a@example.org\r\nBcc: x@example.org' }, 'email'],
        [{ email: 'b\u00fccher@example.org' }, 'email'],
        [{ role: 'superuser' as 'owner' }, 'role'],
        [{ message: 'x'.repeat(2001) }, 'message'],
        [{ message: 'a\u0007b' }, 'message'],
        [{ message: 'a\u202eb' }, 'message'],
      ] as const)
        expect(await refusalOf(invite(owner, body)), path).toMatchObject({
          code: 'invalid_request',
          details: [{ path }],
        })
    })

    it('has a ceiling of pending ones, which expired ones do not count into', async () => {
      const { orgId, owner } = await t.org()
      const { app } = t.server
      const now = app.clock.now()
      const row = {
        role: 'reviewer' as const,
        customRoleId: null,
        message: null,
        locale: 'en',
        invitedBy: owner.userId,
      }
      await app.db.transact(async (tx) => {
        for (let n = 0; n < maxPendingInvites; n++)
          await insertInvite(tx, orgId, {
            ...row,
            id: app.newId('inv'),
            email: `many${n}@example.org`,
            createdAt: now,
            expiresAt: now + 1000,
          })
      })
      expect(await refusalOf(invite(owner, {}, orgId))).toMatchObject({
        code: 'conflict',
        message: expect.stringMatching(/1000 invites/),
      })
      t.server.clock.advance(1000)
      expect(await invite(owner, {}, orgId)).toMatchObject({ status: 'pending' })
      expect((await invites(owner, { status: 'expired' }, orgId)).total).toBe(maxPendingInvites)
      expect((await invites(owner, { status: 'pending' }, orgId)).total).toBe(1)
    })

    it('writes so many messages of one organisation in an hour', async () => {
      const { orgId, owner } = await t.org()
      await invite(owner, {}, orgId)
      const now = t.server.clock.now()
      await t.server.app.db.transact(async (tx) => {
        for (let n = 1; n < mailsPerOrg; n++) await countAttempt(tx, `mails of ${orgId}`, now, 3_600_000)
      })
      expect(await refusalOf(invite(owner, {}, orgId))).toMatchObject({ code: 'rate_limited', status: 429 })
      expect(await invite(await t.member('owner'))).toMatchObject({ status: 'pending' })
      t.server.clock.advance(3_600_000)
      const again = { ...owner, headers: await seatOf(t.server, owner.userId) }
      expect(await invite(again, {}, orgId)).toMatchObject({ status: 'pending' })
    })

    it('writes to one address so often in an hour, from all organisations together, whatever comes at once', async () => {
      const email = freshAddress()
      const orgs = await Promise.all(Array.from({ length: mailsPerMailbox + 3 }, () => t.org()))
      const asked = await Promise.allSettled(orgs.map(({ orgId, owner }) => invite(owner, { email }, orgId)))
      expect(asked.filter(({ status }) => status === 'fulfilled')).toHaveLength(mailsPerMailbox)
      const late = await t.org()
      expect(await refusalOf(invite(late.owner, { email }, late.orgId))).toMatchObject({
        code: 'rate_limited',
        message: expect.stringMatching(/5 messages in an hour/),
      })
      expect((await invites(late.owner, {}, late.orgId)).total).toBe(0)
      t.server.clock.advance(3_600_000)
      const again = { ...late.owner, headers: await seatOf(t.server, late.owner.userId) }
      expect(await invite(again, { email }, late.orgId)).toMatchObject({ status: 'pending' })
    })
  })

  describe('portal.invites.resend', () => {
    it('rotates the link and begins its time anew', async () => {
      const owner = await t.member('owner')
      const made = await invite(owner)
      const first = await tokenOf(made)
      t.server.clock.advance(dayMs)
      const again = await resend(await t.member('admin'), made.id)
      expect(Date.parse(again.expiresAt)).toBe(t.server.clock.now() + inviteDays * dayMs)
      expect(again).toMatchObject({ id: made.id, createdAt: made.createdAt, status: 'pending', delivery: 'queued' })
      const second = await tokenOf(made)
      expect(second).not.toBe(first)
      expect([(await inspect(first)).status, (await inspect(second)).status]).toEqual(['replaced', 'pending'])
      expect(await t.auditOf(made.id)).toEqual(['invite.created', 'invite.resent'])
    })

    it('of 20 at once leaves one link that works, and sends no more than the ceiling of an address', async () => {
      const owner = await t.member('owner')
      const made = await invite(owner)
      const asked = await Promise.allSettled(Array.from({ length: 20 }, () => resend(owner, made.id)))
      expect(asked.filter(({ status }) => status === 'fulfilled')).toHaveLength(mailsPerMailbox - 1)
      const links = await t.server.app.db.reader.all<{ replacedAt: number | null }>(
        'SELECT replaced_at AS "replacedAt" FROM invite_links WHERE invite_id = ?',
        [made.id],
      )
      expect(links).toHaveLength(mailsPerMailbox)
      expect(links.filter(({ replacedAt }) => replacedAt === null)).toHaveLength(1)
    })

    it('and revoking refuse one that is over, a foreign one, and one to a role beyond the own', async () => {
      const [owner, admin] = [await t.member('owner'), await t.member('admin')]
      const revoked = await invite(owner)
      await revoke(owner, revoked.id)
      const expired = await invite(owner)
      await expireInvite(t.server, expired.id)
      for (const { id } of [revoked, expired])
        expect(await refusalOf(resend(owner, id))).toMatchObject({ code: 'conflict' })
      expect(await refusalOf(revoke(owner, expired.id))).toMatchObject({ code: 'conflict' })
      const above = await invite(owner, { role: 'owner' })
      const { orgId, owner: other } = await t.org()
      for (const act of [resend, revoke]) {
        expect(await refusalOf(act(admin, above.id))).toMatchObject({ code: 'forbidden' })
        expect(await refusalOf(act(other, above.id, orgId))).toMatchObject({ code: 'not_found' })
        for (const id of ['inv_0', 'mem_', await tokenOf(above)])
          expect(await refusalOf(act(owner, id)), id).toMatchObject({ code: 'not_found' })
      }
      expect((await inspect(await tokenOf(above))).status).toBe('pending')
    })
  })

  describe('portal.invites.revoke', () => {
    it('ends the link, and again it answers the same', async () => {
      const owner = await t.member('owner')
      const made = await invite(owner)
      const token = await tokenOf(made)
      const revokedAt = new Date(t.server.clock.now()).toISOString()
      expect(await revoke(owner, made.id)).toEqual({ id: made.id, deleted: true, revokedAt })
      t.server.clock.advance(1000)
      expect(await revoke(owner, made.id)).toEqual({ id: made.id, deleted: true, revokedAt })
      expect((await inspect(token)).status).toBe('revoked')
      expect((await invites(owner)).items[0]).toMatchObject({ id: made.id, status: 'revoked', revokedAt })
    })
  })

  describe('portal.invites.list', () => {
    it('lists all, newest first, or those of one status, with how many there are', async () => {
      const { orgId, owner } = await t.org()
      const next = () => invite(owner, {}, orgId)
      const [pending, revoked, expired, closed] = [await next(), await next(), await next(), await next()]
      await revoke(owner, revoked.id, orgId)
      await expireInvite(t.server, closed.id)
      const last = await invite(owner, { email: closed.email }, orgId)
      await expireInvite(t.server, expired.id)
      const ids = async (query: object) => {
        const { items, total } = await invites(owner, { ...query }, orgId)
        expect(total).toBe(items.length)
        return items.map(({ id }) => id).sort()
      }
      const all = [pending, revoked, expired, closed, last]
      expect(await ids({})).toEqual(all.map(({ id }) => id).sort())
      expect(await ids({ status: 'pending' })).toEqual([pending.id, last.id])
      expect(await ids({ status: 'revoked' })).toEqual([revoked.id])
      expect(await ids({ status: 'expired' })).toEqual([expired.id, closed.id].sort())
      expect(await ids({ status: 'accepted' })).toEqual([])
      // What has expired is closed once in an hour, of which nobody sees anything.
      t.server.clock.advance(3_600_000)
      await t.server.processAll()
      const again = { ...owner, headers: await seatOf(t.server, owner.userId) }
      expect((await invites(again, { status: 'expired' }, orgId)).total).toBe(2)
      expect((await invites(again, { status: 'pending' }, orgId)).total).toBe(2)
    })
  })
})
