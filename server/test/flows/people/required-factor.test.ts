import { afterAll, beforeAll, expect, it } from 'vitest'
import { type Running, startServer as start } from '../../../src/app/server.ts'
import { addTotp } from '../../test-support/factors.ts'
import { pendingInvite } from '../../test-support/invites.ts'
import { goodPassword } from '../../test-support/password-links.ts'
import { refusalOf } from '../../test-support/refusal.ts'
import { testPassword } from '../../test-support/server.ts'
import { describePeople } from './people.test-support.ts'

describePeople('an organisation that requires a second factor', (t) => {
  let other: Running
  beforeAll(async () => {
    const { config, log } = t.server.app
    other = await start(
      { ...config, port: 0 },
      { overrides: { clock: t.server.clock, log, sharesFolder: true }, background: false },
    )
  })
  afterAll(() => other.stop())

  const set = (headers: { cookie: string }, required: boolean) =>
    t.portal().call('portal.orgs.secondFactor.set', { params: { orgId: t.orgId }, headers, body: { required } })
  const statuses = (headers: { cookie: string }, path: string) =>
    Promise.all(
      [t.server.url, other.listening.url].map(async (url) => {
        const answer = await fetch(`${url}${path}`, { headers })
        await answer.arrayBuffer()
        return answer.status
      }),
    )

  it('shuts out who has none on the next request in every process, until they add one', async () => {
    const [owner, member] = [await t.member('owner'), await t.member('reviewer')]
    expect(await refusalOf(set(owner.headers, true))).toMatchObject({
      status: 409,
      extra: { reason: 'second_factor_needed' },
    })
    const secured = await addTotp(t.server, owner)
    const path = `/v1/orgs/${t.orgId}`
    expect(await statuses(member.headers, path)).toEqual([200, 200])
    expect((await set(secured.headers, true)).data).toEqual({ required: true })
    expect(await statuses(member.headers, path)).toEqual([403, 403])
    const { data } = await t.portal().call('portal.orgs.get', { params: { orgId: t.orgId }, headers: secured.headers })
    expect(data.secondFactor).toEqual({ required: true })
    const refused = t.portal().call('portal.orgs.get', { params: { orgId: t.orgId }, headers: member.headers })
    expect(await refusalOf(refused)).toMatchObject({
      code: 'forbidden',
      extra: { reason: 'second_factor_required' },
      message: expect.stringContaining('/account/') as string,
    })
    expect(await statuses(member.headers, '/v1/auth/me')).toEqual([200, 200])
    const factors = await t.portal().call('auth.factors.list', { headers: member.headers })
    expect(factors.data).toMatchObject({ factors: [], required: true })
    const added = await addTotp(t.server, member)
    expect(await statuses(added.headers, path)).toEqual([200, 200])
    await t.portal().call('auth.factors.remove', {
      params: { factorId: added.factorId },
      headers: added.headers,
      body: { password: testPassword },
    })
    expect(await statuses(added.headers, path)).toEqual([403, 403])
    await set(secured.headers, false)
    expect(await statuses(added.headers, path)).toEqual([200, 200])
  })

  it('is told to who accepts its invite without one', async () => {
    const secured = await addTotp(t.server, await t.member('owner'))
    const lacks = async () => {
      const { token } = await pendingInvite(t.server, {}, t.orgId)
      return async () => {
        const body = { token, name: 'Asha Rao', password: goodPassword }
        return (await t.portal().call('invites.accept', { body })).data.lacksSecondFactor
      }
    }
    const [before, after] = [await lacks(), await lacks()]
    expect(await before()).toBe(false)
    await set(secured.headers, true)
    expect(await after()).toBe(true)
    await set(secured.headers, false)
  })

  it('leaves keys and the members of others alone', async () => {
    const secured = await addTotp(t.server, await t.member('owner'))
    await set(secured.headers, true)
    const key = { authorization: `Bearer ${t.server.orgs[0].liveKey}` }
    const answer = await fetch(`${t.server.url}/v1/api/orgs/self`, { headers: key })
    expect(answer.status).toBe(200)
    await set(secured.headers, false)
  })

  it('is decided by owners alone, and by none of another organisation', async () => {
    const admin = await t.member('admin')
    expect((await refusalOf(set(admin.headers, false))).status).toBe(403)
    const foreign = t.portal().call('portal.orgs.secondFactor.set', {
      params: { orgId: t.server.orgs[1].orgId },
      headers: (await t.member('owner')).headers,
      body: { required: false },
    })
    expect((await refusalOf(foreign)).status).toBe(404)
  })
})
