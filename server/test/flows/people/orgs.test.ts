import { maxOwnedOrgs, permissions } from '@integrity/protocol'
import { describe, expect, it } from 'vitest'
import { addPerson } from '../../test-support/portal.ts'
import { refusalOf } from '../../test-support/refusal.ts'
import { seatOf } from '../../test-support/sign-ins.ts'
import { describePeople } from './people.test-support.ts'

describePeople('organisations', (t) => {
  const account = async () => {
    const person = await addPerson(t.server)
    return { ...person, headers: await seatOf(t.server, person.userId) }
  }
  const make = async (by: { headers: { cookie: string } }, body: { name?: string; slug?: string }) =>
    (await t.portal().call('portal.orgs.create', { headers: by.headers, body: { name: 'Acme', ...body } })).data

  describe('portal.orgs.create', () => {
    it('makes an organisation whose owner is the caller, with an audit chain and a key of its own', async () => {
      const person = await account()
      const made = await make(person, { name: ' Blue  Harbour ', slug: 'blue-harbour' })
      expect(made).toEqual({
        id: expect.stringMatching(/^org_/) as string,
        name: 'Blue  Harbour',
        slug: 'blue-harbour',
        membershipId: expect.stringMatching(/^mem_/) as string,
        role: 'owner',
        customRole: null,
        permissions: Object.keys(permissions),
        createdAt: new Date(t.server.clock.now()).toISOString(),
      })
      expect(await t.auditOf(made.id)).toEqual(['org.created'])
      const { data } = await t.portal().call('portal.orgs.list', { headers: person.headers })
      expect(data).toMatchObject({ total: 1, items: [made] })
    })

    it('makes a slug of the name where there is none, which is another for each', async () => {
      const person = await account()
      const slugs: string[] = []
      for (const name of ['Grüne Äpfel & Co', 'Grune Apfel Co', 'इंटरव्यू', 'X', 'Admin'])
        slugs.push((await make(person, { name })).slug)
      // Organisations of the test's servers may have some of the numbers.
      const another = expect.stringMatching(/^org-\d+$/) as string
      expect(slugs).toEqual(['grune-apfel-co', 'grune-apfel-co-2', another, 'org-x', 'admin-org'])
    })

    it('refuses a slug that is taken, reads like a taken one, is reserved or is none', async () => {
      const person = await account()
      await make(person, { slug: 'modern-oil1' })
      for (const slug of ['modern-oil1', 'modernoil1', 'modern-0il1', 'modern-oill', 'modem-oil1'])
        expect(await refusalOf(make(person, { slug })), slug).toMatchObject({ code: 'conflict' })
      for (const slug of [
        'admin',
        'api',
        'www',
        'ab',
        'x'.repeat(41),
        'Acme',
        'аcme',
        'a--b',
        '-ab',
        'ab-',
        'a b',
        'a.b',
      ])
        expect(await refusalOf(make(person, { slug })), slug).toMatchObject({
          code: 'invalid_request',
          details: expect.arrayContaining([expect.objectContaining({ path: 'slug' })]) as unknown[],
        })
      for (const name of ['', '\u0007', 'x'.repeat(5000)])
        expect(await refusalOf(make(person, { name }))).toMatchObject({ code: 'invalid_request' })
    })

    it('of one slug, 20 at once make one', async () => {
      const people = await Promise.all(Array.from({ length: 20 }, () => account()))
      const slugs = ['north-star', 'n0rth-star', 'northstar']
      const asked = people.map((person, n) => make(person, { slug: slugs[n % 3]! }))
      const done = (await Promise.allSettled(asked)).filter(({ status }) => status === 'fulfilled')
      expect(done).toHaveLength(1)
    })

    it('lets an account own ten and no more, whatever it asks for at once', async () => {
      const person = await account()
      const asked = Array.from({ length: maxOwnedOrgs + 10 }, (_, n) => make(person, { name: `Crowd ${n}` }))
      const done = (await Promise.allSettled(asked)).filter(({ status }) => status === 'fulfilled')
      expect(done).toHaveLength(maxOwnedOrgs)
      expect(await refusalOf(make(person, {}))).toMatchObject({
        code: 'conflict',
        message: expect.stringMatching(/10 organisations/),
      })
    })
  })

  describe('portal.orgs.get', () => {
    it('counts its members, and says what holds for all of it', async () => {
      const { orgId, owner } = await t.org()
      const member = await t.member('reviewer', orgId)
      await t.change(owner, await t.member('reviewer', orgId), { active: false }, orgId)
      const { data } = await t.portal().call('portal.orgs.get', { params: { orgId }, headers: member.headers })
      expect(data).toMatchObject({
        id: orgId,
        plan: 'self_hosted',
        members: { active: 2, inactive: 1 },
        sso: { required: false },
        legalHold: false,
      })
    })
  })

  describe('an address', () => {
    it('is taken in any case and with spaces around it, and refused where it is none', async () => {
      const { orgId, owner } = await t.org()
      const made = await t.add(owner, { email: '\t Mixed.Case+tag@Sub.Example.ORG ' }, orgId)
      expect(made.email).toBe('mixed.case+tag@sub.example.org')
      const international = await t.add(owner, { email: 'a@münchen.example' }, orgId)
      expect(international.email).toBe('a@xn--mnchen-3ya.example')
      const long = `${'a'.repeat(308)}@example.org`
      expect(long).toHaveLength(320)
      for (const email of [long, 'a b@example.org', 'a@b', '@', 'a@example.org\nbcc: b@c.de', 'а@example.org'])
        expect(await refusalOf(t.add(owner, { email }, orgId)), email).toMatchObject({
          code: 'invalid_request',
          details: expect.arrayContaining([expect.objectContaining({ path: 'email' })]) as unknown[],
        })
    })
  })
})
