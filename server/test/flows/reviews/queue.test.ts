import { expect, it } from 'vitest'
import { refusalOf } from '../../test-support/refusal.ts'
import { scheduleSession } from '../../test-support/world.ts'
import { describeReviews } from './reviews.test-support.ts'

const hour = 3_600_000

describeReviews('the review queue', (t) => {
  it('gets the review of a session that was live once that ends, and of no other', async () => {
    const owner = await t.seat('owner')
    const session = await t.live({ externalId: 'REQ-7', candidateLabel: 'Asha' })
    expect((await t.list(owner, { sessionId: session.id })).items).toEqual([])
    t.server.clock.advance(5000)
    await t.end(session)
    await t.end(session)
    const now = new Date(t.server.clock.now()).toISOString()
    t.server.clock.advance(1234)
    const { items, total } = await t.list(owner, { sessionId: session.id })
    expect(total).toBe(1)
    expect(items).toEqual([
      {
        id: expect.stringMatching(/^rev_/),
        sessionId: session.id,
        environment: 'sandbox',
        state: 'open',
        readiness: 'collecting',
        assignee: null,
        endedAt: now,
        openedAt: now,
        completedAt: null,
        waitingMs: 1234,
        session: { externalId: 'REQ-7', candidateLabel: 'Asha' },
        unreadStatements: 0,
        openRequests: 0,
        answerDueAt: null,
        moments: null,
        deletionDueAt: expect.stringMatching(/^20/),
        opened: { moments: 0, ofMoments: null },
      },
    ])
    expect(items[0]).toMatchObject(await t.get(owner, items[0]!.id))
    expect(await t.people.auditOf(items[0]!.id)).toEqual(['review.opened'])
    const never = await scheduleSession(t.api())
    await t.end(never)
    expect((await t.list(owner, { sessionId: never.id, state: 'all' })).total).toBe(0)
  })

  it('is ready once the agent can deliver no more', async () => {
    const owner = await t.seat('owner')
    const { reviewId } = await t.ended(owner)
    t.server.clock.advance(24 * hour - 1)
    await t.server.processAll()
    expect((await t.get(await t.seat(), reviewId)).readiness).toBe('collecting')
    t.server.clock.advance(1)
    await t.server.processAll()
    const again = await t.seat('owner')
    expect((await t.get(again, reviewId)).readiness).toBe('ready')
    const { items } = await t.list(again, { readiness: 'ready' })
    expect(items.map(({ id }) => id)).toContain(reviewId)
  })

  it('goes on saying that something changed after it was taken, once the agent can deliver no more', async () => {
    const owner = await t.seat('owner')
    const { reviewId, ...session } = await t.ended(owner)
    await t.move(owner, reviewId, 'open', 'in_review')
    await t.deliver(session, new Date(t.server.clock.now() - 1).toISOString())
    expect((await t.get(owner, reviewId)).readiness).toBe('changed')
    t.server.clock.advance(24 * hour)
    await t.server.processAll()
    expect((await t.get(await t.seat('owner'), reviewId)).readiness).toBe('changed')
  })

  it('has no work of a session that was erased before anybody took it, and shows it where it is asked for', async () => {
    const owner = await t.seat('owner')
    const { id, reviewId } = await t.ended(owner)
    await t.api().call('sessions.erase', { params: { id } })
    expect((await t.get(owner, reviewId)).readiness).toBe('erased')
    const listed = async (query: object) => (await t.list(owner, { limit: 100, ...query })).items.map((one) => one.id)
    expect(await listed({ state: 'all' })).toContain(reviewId)
    expect(await listed({})).not.toContain(reviewId)
    const done = await t.ended(owner)
    await t.signOff(owner, done.id)
    await t.move(owner, done.reviewId, 'open', 'in_review')
    await t.move(owner, done.reviewId, 'in_review', 'completed')
    await t.api().call('sessions.erase', { params: { id: done.id } })
    expect(await listed({ state: 'completed' })).toContain(done.reviewId)
  })

  it('shows unfinished work, the oldest first, and what its filters ask for', async () => {
    const owner = await t.seat('owner')
    const reviewer = await t.seat('reviewer')
    const before = await t.list(owner)
    const made: string[] = []
    for (let n = 0; n < 3; n++) {
      t.server.clock.advance(1000)
      made.push((await t.ended(owner)).reviewId)
    }
    const [first = '', second = '', third = ''] = made
    const ids = async (query: object) =>
      (await t.list(owner, { limit: 100, ...query })).items.map(({ id }) => id).filter((id) => made.includes(id))
    expect(await ids({})).toEqual([first, second, third])
    expect(await ids({ sort: 'newest' })).toEqual([third, second, first])
    expect((await t.list(owner)).total).toBe(before.total + 3)
    await t.assign(reviewer, second, reviewer.id, null)
    await t.move(reviewer, second, 'open', 'in_review')
    expect(await ids({ assignee: reviewer.id })).toEqual([second])
    expect(await ids({ assignee: 'none' })).toEqual([first, third])
    expect(await ids({ state: 'in_review' })).toEqual([second])
    expect(await ids({ state: 'open' })).toEqual([first, third])
    expect(await ids({ state: 'completed' })).toEqual([])
    expect(await ids({ environment: 'live' })).toEqual([])
    expect((await t.list(owner, { assignee: reviewer.id })).total).toBe(1)
    expect((await t.get(owner, second)).assignee).toMatchObject({ membershipId: reviewer.id })
  })

  it('shows nothing of another organisation, by whatever name it is asked for', async () => {
    const owner = await t.seat('owner')
    const { id, reviewId } = await t.ended(owner)
    const { orgId } = t.server.orgs[1]
    const stranger = await t.people.member('owner', orgId)
    const { headers } = stranger
    const foreign = t.people
      .portal()
      .call('portal.reviews.list', { params: { orgId }, headers, query: { sessionId: id } })
    expect((await foreign).data).toMatchObject({ items: [], total: 0 })
    const get = (org: string) =>
      refusalOf(t.people.portal().call('portal.reviews.get', { params: { orgId: org, reviewId }, headers }))
    expect(await get(orgId)).toMatchObject({ status: 404 })
    expect(await get(t.orgId)).toMatchObject({ status: 404 })
    const body = { assigneeId: stranger.id, expectedAssigneeId: null }
    const assign = t.people.portal().call('portal.reviews.assign', { params: { orgId, reviewId }, headers, body })
    expect(await refusalOf(assign)).toMatchObject({ status: 404 })
  })
})
