import { mailsPerMailbox, mailsPerOrg, maxMembers } from '@integrity/protocol'
import { describe, expect, it } from 'vitest'
import { authorOf } from '../../../src/domains/organisation/people/memberships.service.ts'
import { countAttempt } from '../../../src/kernel/attempts/attempts.store.ts'
import type { ActorOf } from '../../../src/kernel/identity/actor.ts'
import { auditRowsOf } from '../../test-support/audit-rows.ts'
import { parseOutbox } from '../../test-support/mail.ts'
import { goodPassword, mailedTokens } from '../../test-support/password-links.ts'
import { addPerson, postLogin } from '../../test-support/portal.ts'
import { refusalOf } from '../../test-support/refusal.ts'
import { describePeople } from './people.test-support.ts'

describePeople('members of an organisation', (t) => {
  describe('portal.members.add', () => {
    it('makes an account where the address has none, and a member of an account that is there', async () => {
      const owner = await t.member('owner')
      const added = await t.add(owner, { email: ' New.Person@EXAMPLE.org ', name: ' Asha  Rao ', role: 'interviewer' })
      expect(added).toEqual({
        id: expect.stringMatching(/^mem_/) as string,
        userId: expect.stringMatching(/^usr_/) as string,
        email: 'new.person@example.org',
        name: 'Asha  Rao',
        role: 'interviewer',
        customRole: null,
        active: true,
        lastSeenAt: null,
        deactivatedAt: null,
        createdAt: new Date(t.server.clock.now()).toISOString(),
      })
      expect(await t.auditOf(added.id)).toEqual(['member.added'])
      const known = await addPerson(t.server)
      const member = await t.add(owner, { email: known.email.toUpperCase(), name: 'Somebody' })
      expect(member).toMatchObject({ userId: known.userId, email: known.email, name: 'Somebody' })
    })

    it('shows nothing of an account that is there but its address: the name is what this organisation says', async () => {
      const owner = await t.member('owner')
      const known = await addPerson(t.server)
      await t.server.app.db.transact((tx) =>
        tx.run(`UPDATE users SET name = 'Secret Name' WHERE user_id = ?`, [known.userId]),
      )
      await t.add(owner, { email: known.email, name: 'Somebody' })
      const { items } = await t.list(owner, { q: known.email })
      expect(items).toMatchObject([{ name: 'Somebody', lastSeenAt: null }])
      expect((await t.list(owner, { q: 'secret' })).total).toBe(0)
    })

    it('refuses who is a member already, and says what to do about one who was deactivated', async () => {
      const owner = await t.member('owner')
      const member = await t.member('reviewer')
      expect(await refusalOf(t.add(owner, { email: member.email }))).toMatchObject({
        code: 'conflict',
        message: expect.stringMatching(/already/),
      })
      await t.change(owner, member, { active: false })
      const refused = await refusalOf(t.add(owner, { email: member.email }))
      expect(refused).toMatchObject({
        code: 'conflict',
        message: `this member is deactivated; reactivate ${member.id}`,
      })
    })

    it('of one new address, 20 at once make one account and one member', async () => {
      const owner = await t.member('owner')
      const asked = Array.from({ length: 20 }, () => t.add(owner, { email: 'crowd@example.org' }))
      const done = (await Promise.allSettled(asked)).filter(({ status }) => status === 'fulfilled')
      expect(done).toHaveLength(1)
      expect((await t.list(owner, { q: 'crowd' })).total).toBe(1)
    })

    it('has a ceiling, which deactivated members count into', async () => {
      const { orgId, owner } = await t.org()
      const gone = await t.add(owner, { email: 'gone@full.example' }, orgId)
      await t.change(owner, gone, { active: false }, orgId)
      await t.server.app.db.transact((tx) =>
        tx.run("UPDATE membership_counts SET n = ? WHERE org_id = ? AND role = 'owner' AND active = 1", [
          ...[maxMembers - 2, orgId],
        ]),
      )
      await t.add(owner, { email: 'last@full.example' }, orgId)
      expect(await refusalOf(t.add(owner, { email: 'beyond@full.example' }, orgId))).toMatchObject({
        code: 'conflict',
        message: expect.stringMatching(/10000 members/),
      })
    })

    it('lets nobody give a role beyond their own', async () => {
      const admin = await t.member('admin')
      expect(await refusalOf(t.add(admin, { email: 'a@example.org', role: 'owner' }))).toMatchObject({
        code: 'forbidden',
        message: 'only an owner can make another member an owner',
      })
      expect(await t.add(admin, { email: 'a@example.org', role: 'admin' })).toMatchObject({ role: 'admin' })
      const clerk = await t.holder(['member.manage', 'session.view'])
      expect(await refusalOf(t.add(clerk, { email: 'b@example.org', role: 'reviewer' }))).toMatchObject({
        code: 'forbidden',
        message: expect.stringContaining('evidence.view') as string,
      })
    })
  })

  describe('the message to a new member', () => {
    const mailsTo = async (email: string) => {
      await t.server.processAll()
      return (await parseOutbox(t.server)).filter(({ to }) => to?.some(({ address }) => address === email))
    }
    const addIn = async (locale: string | undefined, email: string) => {
      const owner = await t.member('owner')
      const body = { email, name: 'आशा Rao', role: 'reviewer' as const, locale }
      await t.portal().call('portal.members.add', { params: { orgId: t.orgId }, headers: owner.headers, body })
      const [mail, ...more] = await mailsTo(email)
      expect(more).toEqual([])
      expect(mail?.replyTo?.map(({ address }) => address)).toEqual([owner.email])
      return { subject: mail?.subject, text: mail?.text ?? '', html: mail?.html ?? '' }
    }

    it.each([
      [undefined, 'en', /^You are now a member of Org \d+$/, 'Hello आशा Rao,', 'reviewer'],
      ['hi-IN', 'hi', /^अब आप Org \d+ के सदस्य हैं$/, 'नमस्ते आशा Rao,', 'समीक्षक'],
    ] as const)(
      'of %s is written in %s, as text and as HTML, with the link by which the account gets its password',
      async (locale, lang, subject, hello, role) => {
        const email = `fresh.${lang}@example.org`
        const mail = await addIn(locale, email)
        expect(mail.subject).toMatch(subject)
        expect(mail.html).toContain(`lang="${lang}"`)
        for (const body of [mail.text, mail.html])
          for (const said of [hello, role, /\/password\/#pwl_\w+\.pwr_\w+/]) expect(body).toMatch(said)
        const [token = ''] = await mailedTokens(t.server, email)
        await t.portal().call('auth.password.reset', { body: { token, password: goodPassword } })
        expect((await postLogin(t.server, { email, password: goodPassword })).status).toBe(200)
      },
    )

    it('asks who has an account for nothing, and holds no link', async () => {
      const known = await addPerson(t.server)
      const { text, html } = await addIn('en', known.email)
      for (const body of [text, html]) expect(body).not.toMatch(/pwr_|http|password/i)
    })

    it('does not go to who is none any more when it is sent', async () => {
      const owner = await t.member('owner')
      const member = await t.add(owner, { email: 'short@example.org' })
      await t.change(owner, member, { active: false })
      expect(await mailsTo('short@example.org')).toEqual([])
      const jobs = `SELECT state FROM jobs WHERE kind = 'member.added' AND payload LIKE ?`
      expect(await t.server.app.db.reader.all(jobs, [`%${member.id}%`])).toEqual([{ state: 'done' }])
    })
  })

  describe('the messages that adding somebody sends', () => {
    it('have the ceilings of invites: so many to an address, from all organisations together', async () => {
      const email = 'often.added@example.org'
      const orgs = await Promise.all(Array.from({ length: mailsPerMailbox + 1 }, () => t.org()))
      for (const { orgId, owner } of orgs.slice(1)) await t.add(owner, { email }, orgId)
      const [late] = orgs
      const refused = await refusalOf(t.add(late!.owner, { email }, late!.orgId))
      expect(refused).toMatchObject({ code: 'rate_limited', status: 429 })
      const params = { orgId: late!.orgId }
      const invite = { params, headers: late!.owner.headers, body: { email, role: 'reviewer' as const } }
      expect(await refusalOf(t.portal().call('portal.invites.create', invite))).toMatchObject({ status: 429 })
      expect((await t.list(late!.owner, { q: email }, late!.orgId)).total).toBe(0)
    })

    it('and so many of an organisation', async () => {
      const { orgId, owner } = await t.org()
      const now = t.server.clock.now()
      await t.server.app.db.transact(async (tx) => {
        for (let n = 0; n < mailsPerOrg; n++) await countAttempt(tx, `mails of ${orgId}`, now, 3_600_000)
      })
      expect(await refusalOf(t.add(owner, { email: 'late@example.org' }, orgId))).toMatchObject({ status: 429 })
    })

    it('write no address that somebody typed in as a name', async () => {
      const owner = await t.member('owner')
      const email = 'named@example.org'
      await t.add(owner, { email, name: 'visit https://spam.example now or www.spam.example' })
      await t.server.processAll()
      const [mail] = (await parseOutbox(t.server)).filter(({ to }) => to?.some(({ address }) => address === email))
      expect(mail?.text).toContain('Hello visit now or,')
      expect(`${mail?.subject} ${mail?.text} ${mail?.html}`).not.toContain('spam.example')
    })
  })

  describe('portal.members.change', () => {
    it('gives a role back with a membership only to who could give it', async () => {
      const owner = await t.member('owner')
      const clerk = await t.holder(['member.manage', 'session.view'])
      const target = await t.holder(['session.view'], 'admin')
      await t.change(owner, target, { active: false })
      expect(await refusalOf(t.change(clerk, target, { active: true }))).toMatchObject({ code: 'forbidden' })
      expect(await t.change(owner, target, { active: true })).toMatchObject({ active: true, role: 'admin' })
    })

    it('names the API keys that go on when who made them is deactivated', async () => {
      const owner = await t.member('owner')
      const admin = await t.member('admin')
      const make = (label: string) =>
        t.portal().call('portal.apiKeys.create', {
          params: { orgId: t.orgId },
          headers: admin.headers,
          body: { label, environment: 'live', scopes: ['org:read'] },
        })
      const { data: kept } = await make('Kept')
      const { data: revoked } = await make('Revoked')
      const params = { orgId: t.orgId, keyId: revoked.id }
      await t.portal().call('portal.apiKeys.revoke', { params, headers: admin.headers })
      expect((await t.change(owner, admin, { role: 'reviewer' })).livingApiKeys).toBeUndefined()
      expect((await t.change(owner, admin, { active: false })).livingApiKeys).toEqual([
        { id: kept.id, label: 'Kept', environment: 'live', scopes: ['org:read'] },
      ])
    })

    it('lets nobody change their own role, whatever they hold, but leave', async () => {
      const owner = await t.member('owner')
      expect(await refusalOf(t.change(owner, owner, { role: 'admin' }))).toMatchObject({ code: 'forbidden' })
      const admin = await t.member('admin')
      expect(await refusalOf(t.change(admin, admin, { role: 'owner' }))).toMatchObject({ code: 'forbidden' })
      expect(await refusalOf(t.change(admin, admin, { role: 'reviewer', active: false }))).toMatchObject({
        code: 'forbidden',
      })
      expect(await t.change(admin, admin, { active: false })).toMatchObject({ active: false })
    })

    it('lets nobody touch who may do more than they', async () => {
      const admin = await t.member('admin')
      const owner = await t.member('owner')
      const higher = await t.holder(['sso.manage'])
      for (const target of [owner, higher])
        for (const change of [{ role: 'interviewer' as const }, { active: false }])
          expect(await refusalOf(t.change(admin, target, change))).toMatchObject({ code: 'forbidden' })
      expect(await refusalOf(t.change(admin, await t.member('reviewer'), { role: 'owner' }))).toMatchObject({
        code: 'forbidden',
      })
    })

    it('lets nobody make active again who would then do more than they', async () => {
      const owner = await t.member('owner')
      const second = await t.member('owner')
      await t.change(owner, second, { active: false })
      expect(await refusalOf(t.change(await t.member('admin'), second, { active: true }))).toMatchObject({
        code: 'forbidden',
      })
      expect(await t.change(owner, second, { active: true })).toMatchObject({ active: true, deactivatedAt: null })
      expect(await t.auditOf(second.id)).toEqual(['member.deactivated', 'member.reactivated'])
    })

    it('changes nothing and writes nothing where all is as asked', async () => {
      const owner = await t.member('owner')
      const member = await t.member('reviewer')
      expect(await t.change(owner, member, {})).toMatchObject({ role: 'reviewer', active: true })
      expect(await t.change(owner, member, { role: 'reviewer', active: true })).toMatchObject({ role: 'reviewer' })
      expect(await t.auditOf(member.id)).toEqual([])
      expect(await t.change(await t.member('admin'), owner, { active: true })).toMatchObject({ role: 'owner' })
    })

    it('makes an owner of who had a custom role, which goes', async () => {
      const owner = await t.member('owner')
      const member = await t.holder(['session.view'])
      expect(await t.change(owner, member, { role: 'owner' })).toMatchObject({ role: 'owner', customRole: null })
      expect(await t.auditOf(member.id)).toEqual(['role.assigned', 'member.role_changed', 'role.unassigned'])
      const said = await auditRowsOf(t.server, 'member.role_changed')
      expect(said.at(-1)).toMatchObject({ target: member.id, payload: { to: 'owner' } })
      expect(said.at(-1)?.payload?.['from']).not.toBe('owner')
    })

    it('keeps the last active owner, who can neither leave nor be demoted', async () => {
      const { orgId, owner } = await t.org()
      expect(await refusalOf(t.change(owner, owner, { active: false }, orgId))).toMatchObject({
        code: 'conflict',
        message: expect.stringMatching(/last active owner/),
      })
      const second = await t.member('owner', orgId)
      expect(await t.change(owner, owner, { active: false }, orgId)).toMatchObject({ active: false })
      expect(await refusalOf(t.change(second, second, { active: false }, orgId))).toMatchObject({ code: 'conflict' })
    })

    it('leaves one owner of two, whatever 50 at once attempt on both', async () => {
      for (let round = 0; round < 3; round++) {
        const { orgId, owner } = await t.org()
        const second = await t.member('owner', orgId)
        const attempts = Array.from({ length: 50 }, (_, n) => {
          const [by, to] = n % 2 === 0 ? [owner, second] : [second, owner]
          const kinds = [
            () => t.change(by, to, { role: 'admin' }, orgId),
            () => t.change(by, to, { active: false }, orgId),
            () => t.change(by, by, { active: false }, orgId),
          ]
          return kinds[n % 3]!()
        })
        const outcomes = await Promise.allSettled(attempts)
        expect(outcomes.filter(({ status }) => status === 'fulfilled').length).toBeGreaterThan(0)
        const left = await t.server.app.db.reader.all(
          `SELECT membership_id FROM memberships WHERE org_id = ? AND role = 'owner' AND active = 1`,
          [orgId],
        )
        expect(left).toHaveLength(1)
      }
    })

    it('asks what the giver may do at the moment of the change, not when the request came in', async () => {
      const { orgId, owner } = await t.org()
      const admin = await t.member('admin', orgId)
      const targets = await Promise.all(Array.from({ length: 10 }, () => t.member('reviewer', orgId)))
      const demotion = t.change(owner, admin, { role: 'reviewer' }, orgId)
      await Promise.allSettled([demotion, ...targets.map((to) => t.change(admin, to, { role: 'admin' }, orgId))])
      const rows = await t.server.app.db.reader.all<{ action: string; actor: string; target: string }>(
        'SELECT action, actor_id AS actor, target FROM audit_log WHERE org_id = ? ORDER BY seq',
        [orgId],
      )
      const demotedAt = rows.findIndex(({ target, action }) => target === admin.id && action === 'member.role_changed')
      expect(demotedAt).toBeGreaterThan(-1)
      expect(rows.slice(demotedAt).filter(({ actor }) => actor === admin.userId)).toEqual([])
    })
  })

  describe('portal.members.list', () => {
    it('filters by role, activity and beginnings of words together', async () => {
      const { orgId, owner } = await t.org()
      const made = [
        await t.add(owner, { email: 'priya@north.example', name: 'Priya O’Neill', role: 'interviewer' }, orgId),
        await t.add(owner, { email: 'prem@north.example', name: 'प्रेम शर्मा', role: 'reviewer' }, orgId),
        await t.add(owner, { email: 'zoe@south.example', name: 'Zoë Prem', role: 'reviewer' }, orgId),
      ]
      await t.change(owner, made[2]!, { active: false }, orgId)
      const emails = async (query: Record<string, unknown>) => {
        const { items, total } = await t.list(owner, query, orgId)
        expect(total).toBe(items.length)
        return items.map(({ email }) => email)
      }
      const [priya, prem, zoe] = made.map(({ email }) => email)
      expect(await emails({})).toEqual([zoe, prem, priya, owner.email])
      expect(await emails({ q: 'pr' })).toEqual([zoe, prem, priya])
      expect(await emails({ q: 'PREM zo' })).toEqual([zoe])
      expect(await emails({ q: 'o’neill' })).toEqual([priya])
      expect(await emails({ q: 'शर्' })).toEqual([prem])
      expect(await emails({ q: 'priya@NORTH' })).toEqual([priya])
      expect(await emails({ q: 'north', role: 'reviewer' })).toEqual([prem])
      expect(await emails({ role: 'reviewer', active: 'false' })).toEqual([zoe])
      expect(await emails({ active: 'true', q: 'prem' })).toEqual([prem])
      for (const q of ['%', '_', '!!', "'; --", '\u{10ffff}', 'nobody']) expect(await emails({ q })).toEqual([])
    })

    it('lets nobody write as a member who was made inactive since they were let in', async () => {
      const member = await t.member('reviewer')
      const actor = { kind: 'user', id: member.userId, orgId: t.orgId, email: member.email } as ActorOf<'user'>
      const { reader } = t.server.app.db
      expect(await authorOf({ reader }, actor)).toEqual({
        membershipId: member.id,
        name: member.email,
        role: 'reviewer',
      })
      await t.change(await t.member('owner'), member, { active: false })
      await expect(authorOf({ reader }, actor)).rejects.toMatchObject({ code: 'not_found' })
    })

    it('is for every member, and for nobody else', async () => {
      const { orgId, owner } = await t.org()
      expect((await t.list(await t.holder(['session.view'], 'reviewer', orgId), {}, orgId)).total).toBeGreaterThan(1)
      expect(await refusalOf(t.list(await t.member('owner'), {}, orgId))).toMatchObject({ code: 'not_found' })
      expect(owner.id).not.toBe('')
    })
  })
})
