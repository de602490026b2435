import { type ReviewState, reviewMoves, reviewStates } from '@integrity/protocol'
import { expect, it } from 'vitest'
import { auditRowsOf } from '../../test-support/audit-rows.ts'
import { sentRequest } from '../../test-support/candidate-requests.ts'
import { refusalOf } from '../../test-support/refusal.ts'
import { describeReviews, type ReviewTools } from './reviews.test-support.ts'

/** How a review comes to each state. */
const ways: Readonly<Record<ReviewState, readonly ReviewState[]>> = {
  open: [],
  in_review: ['in_review'],
  waiting: ['in_review', 'waiting'],
  completed: ['in_review', 'completed'],
}

const inState = async (t: ReviewTools, owner: Awaited<ReturnType<ReviewTools['seat']>>, state: ReviewState) => {
  const session = await t.ended(owner)
  await t.signOff(owner, session.id)
  let from: ReviewState = 'open'
  for (const to of ways[state]) {
    await t.move(owner, session.reviewId, from, to)
    from = to
  }
  return session
}

describeReviews('the states of a review', (t) => {
  for (const from of reviewStates)
    for (const to of reviewStates) {
      const allowed = reviewMoves[from].includes(to)
      it(`${from} → ${to} is ${allowed ? 'allowed' : 'refused'}`, async () => {
        const owner = await t.seat('owner')
        const { reviewId } = await inState(t, owner, from)
        if (allowed) expect(await t.move(owner, reviewId, from, to)).toMatchObject({ state: to })
        else expect(await refusalOf(t.move(owner, reviewId, from, to))).toMatchObject({ status: 409 })
        expect((await t.get(owner, reviewId)).state).toBe(allowed ? to : from)
      })
    }

  it('are those that the design names', () => {
    expect(reviewMoves).toEqual({
      open: ['in_review'],
      in_review: ['open', 'waiting', 'completed'],
      waiting: ['open', 'in_review', 'completed'],
      completed: ['open'],
    })
  })

  it('move only from where the caller has seen the review, by one of many at once', async () => {
    const owner = await t.seat('owner')
    const { reviewId } = await t.ended(owner)
    expect(await refusalOf(t.move(owner, reviewId, 'waiting', 'in_review'))).toMatchObject({
      status: 409,
      message: expect.stringContaining('open'),
    })
    const moves = await Promise.allSettled(
      Array.from({ length: 10 }, () => t.move(owner, reviewId, 'open', 'in_review')),
    )
    expect(moves.filter(({ status }) => status === 'fulfilled')).toHaveLength(1)
    expect((await t.people.auditOf(reviewId)).filter((action) => action === 'review.moved')).toHaveLength(1)
  })

  it('are moved by whoever has the review, by who may assign it, and by nobody else', async () => {
    const owner = await t.seat('owner')
    const [one, two] = [await t.seat(), await t.seat()]
    const { id, reviewId } = await t.ended(owner)
    expect(await refusalOf(t.move(one, reviewId, 'open', 'in_review'))).toMatchObject({ status: 403 })
    await t.assign(one, reviewId, one.id, null)
    expect(await refusalOf(t.move(two, reviewId, 'open', 'in_review'))).toMatchObject({ status: 403 })
    await t.move(one, reviewId, 'open', 'in_review')
    expect(await refusalOf(t.signOff(two, id))).toMatchObject({ status: 403 })
    await t.signOff(one, id)
    await t.move(one, reviewId, 'in_review', 'completed')
    expect(await refusalOf(t.move(one, reviewId, 'completed', 'open'))).toMatchObject({ status: 403 })
    const dispatcher = await t.holder(['report.view', 'session.review.assign'])
    expect(await t.move(dispatcher, reviewId, 'completed', 'open')).toMatchObject({ state: 'open', assignee: null })
  })

  it('end with a sign-off that is not stale', async () => {
    const owner = await t.seat('owner')
    const { id, reviewId } = await t.ended(owner)
    await t.move(owner, reviewId, 'open', 'in_review')
    expect(await refusalOf(t.move(owner, reviewId, 'in_review', 'completed'))).toMatchObject({
      status: 409,
      message: expect.stringContaining('no sign-off yet'),
    })
    await t.signOff(owner, id)
    await t.addNote(owner, id, { text: 'One more thing.' })
    expect(await refusalOf(t.move(owner, reviewId, 'in_review', 'completed'))).toMatchObject({
      status: 409,
      message: expect.stringContaining('revision 1'),
    })
    await t.signOff(owner, id, 1)
    t.server.clock.advance(5000)
    const done = await t.move(owner, reviewId, 'in_review', 'completed')
    t.server.clock.advance(5000)
    expect(done.completedAt).not.toBeNull()
    expect((await t.get(owner, reviewId)).waitingMs).toBe(5000)
  })

  it('keep when somebody took the review first', async () => {
    const owner = await t.seat('owner')
    const { reviewId } = await t.ended(owner)
    const takenAt = async () => {
      const sql = 'SELECT taken_at AS at FROM reviews WHERE review_id = ?'
      return (await t.server.app.db.reader.get<{ at: number }>(sql, [reviewId]))?.at
    }
    await t.move(owner, reviewId, 'open', 'in_review')
    const first = await takenAt()
    expect(first).toBe(t.server.clock.now())
    t.server.clock.advance(5000)
    await t.move(owner, reviewId, 'in_review', 'waiting')
    await t.move(owner, reviewId, 'waiting', 'in_review')
    expect(await takenAt()).toBe(first)
  })

  it('begin anew when a review is reopened, and all that was said stays', async () => {
    const owner = await t.seat('owner')
    const { id, reviewId } = await inState(t, owner, 'completed')
    await t.addNote(owner, id, { text: 'Said before.' })
    const { orgId } = t
    const { id: requestId } = await sentRequest(t.server, { orgId, environment: 'sandbox' }, id, 'context_statement')
    const reopen = (by: typeof owner, org = orgId) =>
      t.people.portal().call('portal.candidateRequests.reopenReview', {
        params: { orgId: org, requestId },
        headers: by.headers,
        body: { reason: 'The candidate explained it.' },
      })
    expect(await refusalOf(reopen(await t.seat()))).toMatchObject({ status: 403 })
    const stranger = await t.people.member('owner', t.server.orgs[1].orgId)
    expect(await refusalOf(reopen(stranger, t.server.orgs[1].orgId))).toMatchObject({ status: 404 })
    t.server.clock.advance(60_000)
    const { data } = await reopen(owner)
    const moved = (await auditRowsOf(t.server, 'review.moved')).at(-1)
    expect(moved).toMatchObject({ target: reviewId, payload: { reason: 'The candidate explained it.' } })
    const now = new Date(t.server.clock.now()).toISOString()
    expect(data).toMatchObject({ id: reviewId, state: 'open', assignee: null, openedAt: now, completedAt: null })
    expect(await refusalOf(reopen(owner))).toMatchObject({ status: 409 })
    const { data: notes } = await t.people
      .portal()
      .call('portal.notes.list', { params: { id }, headers: owner.headers })
    expect(notes.items.map(({ text }) => text)).toEqual(['Said before.'])
    expect(await refusalOf(t.signOff(owner, id, 0))).toMatchObject({ status: 409 })
    expect(await refusalOf(t.signOff(owner, id, 1))).toMatchObject({ message: expect.stringContaining('unread') })
    await t.people.portal().call('portal.candidateRequests.complete', {
      params: { orgId, requestId },
      headers: owner.headers,
      body: {},
    })
    expect((await t.signOff(owner, id, 1)).supersedes).toBe(1)
  })
})
