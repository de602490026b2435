import { expect, it } from 'vitest'
import { queueFacts } from '../../../src/domains/interviews/reviews/turnaround.service.ts'
import { describeReviews } from './reviews.test-support.ts'

describeReviews('the backlog of reviews', (t) => {
  it('is one number, in the queue, at who has it, and where it is counted: of sessions that were erased nothing waits', async () => {
    const owner = await t.seat('owner')
    const reviewer = await t.seat('reviewer')
    const scope = { orgId: t.server.orgs[0].orgId, environment: 'sandbox' } as const
    const span = { from: 0, until: t.server.clock.now() + 1 }
    const counts = async () => ({
      queue: (await t.list(owner)).total,
      has: (await t.assignees(owner)).find(({ membershipId }) => membershipId === reviewer.id)?.openReviews,
      counted: (await queueFacts({ reader: t.server.app.db.reader }, { scope, span })).openNow,
    })
    const before = await counts()
    const made = []
    for (let n = 0; n < 4; n++) {
      const one = await t.ended(owner)
      await t.assign(owner, one.reviewId, reviewer.id, null)
      made.push(one)
    }
    // What is completed waits for nobody.
    const done = made[3] as (typeof made)[number]
    await t.signOff(owner, done.id)
    await t.move(owner, done.reviewId, 'open', 'in_review')
    await t.move(owner, done.reviewId, 'in_review', 'completed')
    for (const { id } of made.slice(0, 2)) await t.api().call('sessions.erase', { params: { id } })
    const after = await counts()
    expect(after).toEqual({ queue: before.queue + 1, has: (before.has ?? 0) + 1, counted: before.counted + 1 })
    // Who asks for them sees them still.
    const erased = await t.list(owner, { readiness: 'erased' })
    expect(erased.items.map(({ id }) => id)).toEqual(expect.arrayContaining([made[0]?.reviewId, made[1]?.reviewId]))
    expect((await t.list(owner, { sessionId: made[0]?.id })).total).toBe(1)
    expect((await t.list(owner, { state: 'all' })).total).toBeGreaterThan(after.queue)
  })
})
