import { expect, it } from 'vitest'
import { agreeOnDevice, claimPhone } from '../../test-support/devices.ts'
import { newPicture, stillFor, type WorldSession } from '../../test-support/world.ts'
import type { Seat } from '../people/people.test-support.ts'
import { describeReviews } from './reviews.test-support.ts'

describeReviews('portal.live.list', (t) => {
  const wall = async (by: Seat, query: { limit?: number } = {}) =>
    (await t.people.portal().call('portal.live.list', { params: { orgId: t.orgId }, headers: by.headers, query })).data
  const still = async ({ id, agent }: WorldSession) => {
    const bytes = await newPicture()
    const body = { ...stillFor(t.server, bytes), data: bytes.toString('base64') }
    return (await t.server.client(agent).call('agent.screenshots.upload', { params: { id }, body })).data
  }

  it('shows what goes on, newest first, with lanes, the newest still, the phone and who watches', async () => {
    const owner = await t.seat('owner')
    const quiet = await t.live()
    t.server.clock.advance(1000)
    const busy = await t.live({ candidateLabel: 'Candidate 7' })
    const phone = await claimPhone(t.server, t.api(), busy.id)
    await agreeOnDevice(t.server, t.api(), busy.id, phone.token, 'companion')
    await still(busy)
    t.server.clock.advance(1000)
    const newest = await still(busy)
    await t.people.portal().call('sessions.live', { params: { id: busy.id }, headers: owner.headers })
    const { items, more } = await wall(owner)
    expect(items.slice(0, 2).map(({ session }) => session.id)).toEqual([busy.id, quiet.id])
    expect(items[0]).toMatchObject({
      session: { state: 'live', candidateLabel: 'Candidate 7', sandbox: true },
      latestFrame: { evidenceId: newest.id, evidenceType: 'screenshot', capturedAt: newest.capturedAt },
      phone: { recording: 'off', interruptedSince: null },
      viewers: 1,
    })
    expect(items[1]).toMatchObject({ latestFrame: null, phone: null, viewers: 0 })
    expect(more).toBe(false)
    // In the minute after it too, so that nobody who asks once a minute flickers; not in the one after that.
    t.server.clock.advance(60_000)
    expect((await wall(owner)).items[0]?.viewers).toBe(1)
    t.server.clock.advance(60_000)
    expect((await wall(owner)).items[0]?.viewers).toBe(0)
  })

  it('shows no still to who may not see which evidence exists, and leaves out what has ended or has not begun', async () => {
    const session = await t.live()
    await still(session)
    const holder = await t.holder(['session.view'])
    const item = (await wall(holder)).items.find((one) => one.session.id === session.id)
    expect(item?.latestFrame).toBeNull()
    await t.end(session)
    expect((await wall(holder)).items.map((one) => one.session.id)).not.toContain(session.id)
  })

  it('says when more goes on than is listed', async () => {
    const owner = await t.seat('owner')
    await t.live()
    await t.live()
    const { items, more } = await wall(owner, { limit: 1 })
    expect([items.length, more]).toEqual([1, true])
  })
})
