import { ownerInviteDays } from '@integrity/protocol'
import { describe, expect, it } from 'vitest'
import type { Tx } from '../../../src/platform/db/types.ts'
import { newestToken, pendingRequest } from '../../test-support/access-requests.ts'
import { addPerson, postLogin, signIn } from '../../test-support/portal.ts'
import { refusalOf } from '../../test-support/refusal.ts'
import { testPassword } from '../../test-support/server.ts'
import { describeDesk, goodPassword } from './access-requests.test-support.ts'

const newcomer = { name: 'Asha Rao', password: goodPassword }

describeDesk('accepting an owner invitation', (desk) => {
  const inspect = async (token: string) =>
    (await desk.server.client().call('ownerInvites.inspect', { body: { token } })).data
  const peopleOf = async (email: string) =>
    desk.server.app.db.reader.all<{ id: string }>('SELECT user_id AS id FROM users WHERE email = ?', [email])

  it('makes the organisation and its owner, and signs in', async () => {
    const { id, email, organisation, token } = await desk.approved()
    const done = await desk.accept({ token, ...newcomer, slug: 'bright-hiring' })
    expect(done.status, JSON.stringify(done.body)).toBe(201)
    expect(done.body.data).toMatchObject({
      org: { name: organisation, slug: 'bright-hiring' },
      user: { email, name: 'Asha Rao' },
      memberships: [{ role: 'owner' }],
    })
    const me = await desk.server.client().call('auth.me', { headers: done.cookie })
    expect(me.data).toMatchObject({ user: { email }, memberships: [{ role: 'owner', org: { name: organisation } }] })
    const listed = (await desk.list({ status: 'approved' })).items.find((item) => item.id === id)
    expect(listed).toMatchObject({ orgId: done.body.data?.org.id, invitation: { status: 'accepted' } })
    expect((await postLogin(desk.server, { email, password: goodPassword })).status).toBe(200)
    const chain = await desk.server.app.db.reader.all<{ action: string }>(
      'SELECT action FROM audit_log WHERE org_id = ? ORDER BY seq',
      [done.body.data?.org.id ?? ''],
    )
    expect(chain.map(({ action }) => action)).toEqual(['org.created', 'user.signed_in', 'user.signed_in'])
  })

  it('of 50 at once makes one organisation with one owner, and tells the others that it was accepted', async () => {
    const { email, token } = await desk.approved()
    const before = (await desk.orgs()).length
    const done = await Promise.all(Array.from({ length: 50 }, () => desk.accept({ token, ...newcomer })))
    expect(done.filter(({ status }) => status === 201)).toHaveLength(1)
    // A line of hashes has an end; whoever finds it full is told to come back.
    for (const { status, body } of done.filter((answer) => answer.status !== 201))
      expect([409, 401], JSON.stringify(body)).toContain(status)
    const orgs = await desk.orgs()
    expect(orgs).toHaveLength(before + 1)
    expect(orgs.map(({ owners }) => owners)).not.toContain(0)
    expect(await peopleOf(email)).toHaveLength(1)
  })

  it('makes nothing without the rest, whichever statement it is cut off at', async () => {
    const { email, token } = await desk.approved()
    const { db } = desk.server.app
    const transact = db.transact.bind(db)
    const before = await desk.orgs()
    let statements = 0
    const cutAt = (at: number) => {
      let seen = 0
      Object.assign(db, {
        transact: (work: (tx: Tx) => Promise<unknown>) =>
          transact((tx) =>
            work(
              new Proxy(tx, {
                get: (target, name) => {
                  const value: unknown = Reflect.get(target, name)
                  if (typeof value !== 'function') return value
                  if (name === 'afterCommit') return value.bind(target) as unknown
                  return (...given: unknown[]): unknown => {
                    if (!String(given[0]).includes('login_attempts')) seen += 1
                    statements = Math.max(statements, seen)
                    if (seen === at) throw new Error('cut off')
                    return value.apply(target, given)
                  }
                },
              }),
            ),
          ),
      })
    }
    try {
      for (let at = 1; at <= Math.max(1, Math.min(statements, 100)); at++) {
        cutAt(at)
        const done = await desk.accept({ token, ...newcomer })
        if (done.status === 201) break
        expect(done.status).toBe(500)
        expect(await desk.orgs()).toEqual(before)
        expect(await peopleOf(email)).toEqual([])
        statements = at + 1
      }
    } finally {
      Object.assign(db, { transact })
    }
    expect(statements).toBeGreaterThan(8)
    expect((await desk.orgs()).filter(({ owners }) => owners !== 1)).toEqual([])
    expect(await desk.orgs()).toHaveLength(before.length + 1)
    expect((await inspect(token)).status).toBe('accepted')
  })

  describe('for an address that has an account', () => {
    const invitedMember = async () => {
      const person = await addPerson(desk.server)
      const request = await pendingRequest(desk.server, { email: person.email.toUpperCase() })
      await desk.decide('approve', request.id)
      return { ...person, token: await newestToken(desk.server, request.id) }
    }

    it('asks for that account: its password', async () => {
      const { userId, email, token } = await invitedMember()
      expect(await inspect(token)).toMatchObject({ hasAccount: true, email })
      const before = await desk.orgs()
      const bare = await desk.accept({ token })
      expect([bare.status, bare.body.error?.reason]).toEqual([401, 'account_needed'])
      const wrong = await desk.accept({ token, ...newcomer })
      expect([wrong.status, wrong.body.error?.code]).toEqual([401, 'unauthorized'])
      expect(await desk.orgs()).toEqual(before)
      const done = await desk.accept({ token, password: testPassword })
      expect([done.status, done.body.data?.user.id]).toEqual([201, userId])
    })

    it('takes it signed in, and nobody else signed in', async () => {
      const { email, token } = await invitedMember()
      const other = await addPerson(desk.server)
      const stranger = await desk.accept({ token }, { cookie: (await signIn(desk.server, other.email)).cookie })
      expect([stranger.status, stranger.body.error?.reason]).toEqual([403, 'wrong_address'])
      const { cookie } = await signIn(desk.server, email)
      const foreign = await desk.accept({ token }, { cookie, origin: 'https://elsewhere.example' })
      expect(foreign.status).toBe(403)
      const done = await desk.accept({ token }, { cookie })
      expect([done.status, done.body.data?.user.email]).toEqual([201, email])
      expect((await desk.server.client().call('auth.me', { headers: done.cookie })).data.memberships).toHaveLength(1)
    })

    it('counts wrong passwords as a sign-in does', async () => {
      const { token } = await invitedMember()
      const answers: number[] = []
      for (let n = 0; n < 11; n++) answers.push((await desk.accept({ token, password: `wrong ${n}` })).status)
      expect(answers).toEqual([...Array.from({ length: 10 }, () => 401), 429])
    })
  })

  it('needs a name and a password that is none of the weak ones, for a new account', async () => {
    const { token } = await desk.approved()
    for (const [body, path] of [
      [{ password: goodPassword }, 'name'],
      [{ name: 'Asha' }, 'password'],
      [{ name: 'Asha', password: 'short' }, 'password'],
      [{ name: 'a'.repeat(5000), password: goodPassword }, 'name'],
      [{ name: 'A\u0007', password: goodPassword }, 'name'],
    ] as const) {
      const refused = await desk.accept({ token, ...body })
      expect([refused.status, refused.body.error?.details?.map((detail) => detail.path)]).toEqual([400, [path]])
    }
    expect((await inspect(token)).status).toBe('pending')
  })

  it('refuses a slug that is none, reserved or taken, and keeps the link', async () => {
    const { token } = await desk.approved()
    const { token: other } = await desk.approved()
    const accept = (slug: string) => desk.accept({ token, ...newcomer, slug })
    for (const slug of [
      'ab',
      'a'.repeat(41),
      'Bright',
      'br\u0456ght',
      '-bright',
      'bright-',
      'a--b',
      'a b',
      'admin',
      'api',
    ])
      expect((await accept(slug)).status, slug).toBe(400)
    expect((await desk.accept({ token: other, ...newcomer, slug: 'taken-name' })).status).toBe(201)
    expect((await accept('taken-name')).status).toBe(409)
    expect((await accept('free-name')).status).toBe(201)
  })

  it('is refused with its reason once it was accepted, replaced or expired, and of a token that is none', async () => {
    const accepted = await desk.approved()
    await desk.accept({ token: accepted.token, ...newcomer })
    const replaced = await desk.approved()
    await desk.decide('resendInvite', replaced.id)
    const expired = await desk.approved()
    desk.server.clock.advance(ownerInviteDays * 24 * 3_600_000)
    for (const [{ token }, reason] of [
      [accepted, 'accepted'],
      [replaced, 'replaced'],
      [expired, 'expired'],
    ] as const) {
      const refused = await desk.accept({ token, ...newcomer })
      expect([refused.status, refused.body.error?.reason]).toEqual([409, reason])
    }
    for (const token of [`own_${'0'.repeat(32)}`, `inv_${'0'.repeat(32)}`, desk.server.orgs[0].liveKey])
      expect((await desk.accept({ token, ...newcomer })).status).toBe(404)
    expect(await refusalOf(desk.decide('resendInvite', accepted.id))).toMatchObject({ status: 409 })
  })
})
