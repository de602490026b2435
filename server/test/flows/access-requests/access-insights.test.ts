import { expect, it } from 'vitest'
import { approvedRequest, pendingRequest } from '../../test-support/access-requests.ts'
import { operatorCookie } from '../../test-support/portal.ts'
import { refusalOf } from '../../test-support/refusal.ts'
import { describeDesk, goodPassword } from './access-requests.test-support.ts'

const day = 24 * 3_600_000

describeDesk('the funnel of access requests', (desk) => {
  const insights = async (query: object = {}) =>
    (
      await desk.server
        .client()
        .call('accessRequests.insights', { headers: await operatorCookie(desk.server), query: query as never })
    ).data
  const counts = (funnel: Awaited<ReturnType<typeof insights>>) => funnel.funnel.map(({ requests }) => requests)
  const founded = async () => {
    const { token } = await approvedRequest(desk.server)
    await desk.server.client().call('ownerInvites.inspect', { body: { token } })
    const done = await desk.accept({ token, name: 'Asha Rao', password: goodPassword })
    return done.body.data?.org.id ?? ''
  }
  const session = (orgId: string, environment: string, startedAt: number | null, position: number) =>
    desk.server.app.db.transact(async (tx) => {
      const like = await tx.get<Record<string, string | number | null>>('SELECT * FROM sessions LIMIT 1')
      const row = {
        ...like,
        org_id: orgId,
        session_id: `ses_${orgId}${position}`,
        environment,
        position,
        started_at: startedAt,
      }
      const names = Object.keys(row)
      await tx.run(
        `INSERT INTO sessions (${names.join(', ')}) VALUES (${names.map(() => '?').join(', ')})`,
        Object.values(row),
      )
    })

  it('counts how far the requests of a time have come, and those of no other time', async () => {
    const { server } = desk
    await server.client(server.orgs[0].liveKey).call('sessions.create')
    expect(counts(await insights())).toEqual([0, 0, 0, 0, 0, 0])
    const begin = new Date(server.clock.now()).toISOString()
    await pendingRequest(server)
    await desk.decide('decline', (await pendingRequest(server)).id)
    await approvedRequest(server)
    const [, inSandbox, scheduled, live] = [await founded(), await founded(), await founded(), await founded()]
    await session(inSandbox, 'sandbox', server.clock.now(), 1)
    await session(scheduled, 'live', null, 1)
    await session(live, 'live', server.clock.now(), 1)
    await session(live, 'live', server.clock.now(), 2)
    const found = await insights()
    expect(found.funnel.map(({ stage }) => stage)).toEqual([
      ...['requested', 'approved', 'opened', 'accepted', 'first_session', 'first_live_session'],
    ])
    expect(counts(found)).toEqual([7, 5, 4, 4, 3, 1])
    expect([found.declined, found.waiting]).toEqual([1, 1])
    server.clock.advance(day)
    const end = new Date(server.clock.now()).toISOString()
    await pendingRequest(server)
    expect(counts(await insights({ from: begin, to: end }))).toEqual([7, 5, 4, 4, 3, 1])
    expect(counts(await insights({ from: end }))).toEqual([1, 0, 0, 0, 0, 0])
    server.clock.advance(89 * day)
    expect(counts(await insights())).toEqual([1, 0, 0, 0, 0, 0])
    expect(await refusalOf(insights({ from: end, to: begin }))).toMatchObject({
      status: 400,
      details: [{ path: 'from' }],
    })
  })
})
