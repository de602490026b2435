import { afterAll, afterEach, beforeAll, describe, expect, it, vi } from 'vitest'
import { type Running, startServer as start } from '../../../src/app/server.ts'
import type { Actor } from '../../../src/kernel/identity/actor.ts'
import { isStillAllowed } from '../../../src/pipeline/callers/authenticate.ts'
import type { PipelineParts } from '../../../src/pipeline/pipeline-parts.ts'
import { specOf } from '../../test-support/examples.ts'
import { type OpenStream, openStream } from '../../test-support/sse-client.ts'
import { describePeople, type Seat } from './people.test-support.ts'

/** What others learn of a change of members and roles, and when: nothing here waits or moves the clock. */
describePeople('a change of what somebody may do', (t) => {
  let other: Running
  beforeAll(async () => {
    const { config, log } = t.server.app
    const overrides = { clock: t.server.clock, log, answerCheck: 'strict', sharesFolder: true } as const
    other = await start({ ...config, port: 0 }, { overrides, background: false })
  })
  afterAll(() => other.stop())

  /** The same question of two processes: the status of either. */
  const statuses = async (seat: Seat, path: string): Promise<number[]> => {
    const ask = async (url: string) => {
      const answer = await fetch(`${url}${path}`, { headers: seat.headers })
      await answer.arrayBuffer()
      return answer.status
    }
    return [await ask(t.server.url), await ask(other.listening.url)]
  }
  const keys = (orgId = t.orgId) => `/v1/orgs/${orgId}/api-keys`
  const roleOf = async (by: Seat, seat = by) => {
    const { items } = await t.list(by, { q: seat.email })
    return items[0]?.customRole?.id ?? ''
  }

  it('is in force on the next request in every process: narrowed, widened, unassigned, deleted, built-in', async () => {
    const owner = await t.member('owner')
    const holder = await t.holder(['api_key.manage'])
    const roleId = await roleOf(holder)
    const params = { orgId: t.orgId, roleId }
    const to = (held: readonly string[]) =>
      t.portal().call('portal.roles.change', {
        params,
        headers: owner.headers,
        body: { permissions: held as never },
      })
    expect(await statuses(holder, keys())).toEqual([200, 200])
    await to(['session.view'])
    expect(await statuses(holder, keys())).toEqual([403, 403])
    await to(['api_key.manage'])
    expect(await statuses(holder, keys())).toEqual([200, 200])
    await t.assign(owner, holder, null)
    expect(await statuses(holder, keys())).toEqual([403, 403])
    await t.assign(owner, holder, roleId)
    expect(await statuses(holder, keys())).toEqual([200, 200])
    await t.portal().call('portal.roles.delete', { params, headers: owner.headers })
    expect(await statuses(holder, keys())).toEqual([403, 403])
    await t.change(owner, holder, { role: 'admin' })
    expect(await statuses(holder, keys())).toEqual([200, 200])
  })

  describe('an open stream of events', () => {
    const streams: OpenStream[] = []
    afterEach(async () => {
      for (const stream of streams) stream.close()
      await Promise.all(streams.splice(0).map((stream) => stream.ended))
    })
    const open = async (seat: Seat) => {
      const stream = await openStream(`${t.server.url}/v1/orgs/${t.orgId}/events/stream`, seat.headers)
      expect(stream.status).toBe(200)
      streams.push(stream)
      return stream
    }

    // The clock stands still: no heartbeat comes.
    it.each([
      ['a narrower custom role', ['session.view']],
      ['a wider one', ['session.view', 'webhook.manage', 'member.manage']],
      ['one that sees no events at all', ['api_key.manage']],
    ] as const)('ends at once with %s, since what it shows was chosen by the role before', async (_, held) => {
      const owner = await t.member('owner')
      const holder = await t.holder(['session.view', 'webhook.manage'])
      const untouched = await open(owner)
      const stream = await open(holder)
      const params = { orgId: t.orgId, roleId: await roleOf(owner, holder) }
      const body = { permissions: [...held] }
      await t.portal().call('portal.roles.change', { params, headers: owner.headers, body })
      expect(await stream.ended).toBe(true)
      expect(t.server.app.streams.countOf(holder.userId)).toBe(0)
      expect(t.server.app.streams.countOf(owner.userId)).toBe(1)
      untouched.close()
    })

    it('ends at once with another built-in role, and with a custom one that is given, taken or deleted', async () => {
      const owner = await t.member('owner')
      const seat = await t.member('admin')
      const { id: roleId } = await t.create(owner, ['session.view'])
      const changes = [
        () => t.change(owner, seat, { role: 'reviewer' }),
        () => t.assign(owner, seat, roleId),
        () => t.assign(owner, seat, null),
        () => t.assign(owner, seat, roleId),
        () => t.portal().call('portal.roles.delete', { params: { orgId: t.orgId, roleId }, headers: owner.headers }),
      ]
      for (const change of changes) {
        const stream = await open(seat)
        await change()
        expect(await stream.ended).toBe(true)
      }
    })
  })

  describe('deactivating', () => {
    it('ends the pages of that organisation in every process, and those of no other', async () => {
      const { orgId, owner } = await t.org()
      const member = await t.member('admin', orgId)
      const mine = await t.portal().call('portal.orgs.create', { headers: member.headers, body: { name: 'My own' } })
      expect(await statuses(member, keys(orgId))).toEqual([200, 200])
      await t.change(owner, member, { active: false }, orgId)
      expect(await statuses(member, keys(orgId))).toEqual([404, 404])
      expect(await statuses(member, keys(mine.data.id))).toEqual([200, 200])
      const { data } = await t.portal().call('portal.orgs.list', { headers: member.headers })
      expect(data.items.map(({ id }) => id)).toEqual([mine.data.id])
      await t.change(owner, member, { active: true }, orgId)
      expect(await statuses(member, keys(orgId))).toEqual([200, 200])
    })

    it('ends the sign-ins of who is a member of nothing any more, in this process at once and in others within 5 s', async () => {
      const { orgId, owner } = await t.org()
      const member = await t.member('admin', orgId)
      expect(await statuses(member, '/v1/auth/me')).toEqual([200, 200])
      await t.change(owner, member, { active: false }, orgId)
      expect((await statuses(member, '/v1/auth/me'))[0]).toBe(401)
      t.server.clock.advance(5000)
      expect(await statuses(member, '/v1/auth/me')).toEqual([401, 401])
      await t.change(owner, member, { active: true }, orgId)
      expect(await statuses(member, '/v1/auth/me')).toEqual([401, 401])
    })

    it('ends the streams that the person has open here, and those elsewhere when they are looked at again', async () => {
      const { orgId, owner } = await t.org()
      const member = await t.member('admin', orgId)
      const app = t.server.app as PipelineParts
      const letIn = {
        request: { headers: member.headers, query: {}, address: '' },
        params: { orgId },
        actor: { kind: 'account', id: member.userId } as Actor,
      }
      const stillAllowed = () => isStillAllowed(app, specOf('portal.apiKeys.list'), letIn)
      const ending = vi.spyOn(app.streams, 'endOf')
      expect(await stillAllowed()).toBe(true)
      await t.change(owner, member, { active: false }, orgId)
      expect(await stillAllowed()).toBe(false)
      expect(ending.mock.calls).toEqual([[member.userId]])
      ending.mockRestore()
    })

    it('leaves the keys that the person made, which go on and are listed as theirs', async () => {
      const { orgId, owner } = await t.org()
      const member = await t.member('admin', orgId)
      const body = { label: 'Build', environment: 'live' as const, scopes: ['org:read' as const] }
      const { data: key } = await t.portal().call('portal.apiKeys.create', {
        params: { orgId },
        headers: member.headers,
        body,
      })
      await t.change(owner, member, { active: false }, orgId)
      expect((await t.server.client(key.token).call('orgs.me')).data.keyId).toBe(key.id)
      const listed = await t.portal().call('portal.apiKeys.list', { params: { orgId }, headers: owner.headers })
      expect(listed.data.items).toMatchObject([{ id: key.id, createdBy: { kind: 'user', id: member.userId } }])
    })
  })

  it('is told with when each member was here last, in that organisation alone', async () => {
    const { orgId, owner } = await t.org()
    const member = await t.member('reviewer', orgId)
    const seen = async () => {
      await t.server.processAll()
      const { items } = await t.list(owner, { q: member.email }, orgId)
      return items[0]?.lastSeenAt
    }
    await t.portal().call('portal.orgs.create', { headers: member.headers, body: { name: 'Elsewhere' } })
    expect(await seen()).toBeNull()
    await t.list(member, {}, orgId)
    const first = new Date(t.server.clock.now()).toISOString()
    expect(await seen()).toBe(first)
    t.server.clock.advance(60_000)
    await t.list(member, {}, orgId)
    expect(await seen()).toBe(first)
    t.server.clock.advance(5 * 60_000)
    await t.list(member, {}, orgId)
    expect(await seen()).toBe(new Date(t.server.clock.now()).toISOString())
  })
})
