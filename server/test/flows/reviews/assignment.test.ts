import { expect, it } from 'vitest'
import { refusalOf } from '../../test-support/refusal.ts'
import { scimTokenOf } from '../../test-support/scim.ts'
import { describeReviews } from './reviews.test-support.ts'

describeReviews('assigning reviews', (t) => {
  it('goes to one of fifty who claim it at once, and tells the others who that is', async () => {
    const owner = await t.seat('owner')
    const { reviewId } = await t.ended(owner)
    const reviewers = await Promise.all(Array.from({ length: 50 }, () => t.seat('reviewer')))
    const claims = await Promise.allSettled(reviewers.map((by) => t.assign(by, reviewId, by.id, null)))
    const won = claims.flatMap((claim, n) => (claim.status === 'fulfilled' ? [reviewers[n]!] : []))
    expect(won).toHaveLength(1)
    const [winner] = won
    for (const claim of claims.filter(({ status }) => status === 'rejected'))
      expect((claim as PromiseRejectedResult).reason).toMatchObject({
        status: 409,
        code: 'conflict',
        message: expect.stringContaining(winner!.id),
      })
    expect((await t.get(owner, reviewId)).assignee?.membershipId).toBe(winner!.id)
    const audited = (await t.people.auditOf(reviewId)).filter((action) => action === 'review.assigned')
    expect(audited).toHaveLength(1)
  })

  it('takes what is expected at its word: from somebody, to somebody, back to the queue', async () => {
    const owner = await t.seat('owner')
    const [one, two] = [await t.seat('reviewer'), await t.seat('reviewer')]
    const { reviewId } = await t.ended(owner)
    await t.assign(owner, reviewId, one.id, null)
    expect(await refusalOf(t.assign(owner, reviewId, two.id, null))).toMatchObject({ status: 409 })
    await t.assign(owner, reviewId, two.id, one.id)
    expect(await refusalOf(t.assign(owner, reviewId, null, one.id))).toMatchObject({
      status: 409,
      message: expect.stringContaining(two.id),
    })
    expect((await t.assign(two, reviewId, null, two.id)).assignee).toBeNull()
    expect(await refusalOf(t.assign(owner, reviewId, null, two.id))).toMatchObject({
      status: 409,
      message: expect.stringContaining('nobody'),
    })
  })

  it('is over once a review is completed, until it is reopened', async () => {
    const owner = await t.seat('owner')
    const [one, two] = [await t.seat('reviewer'), await t.seat('reviewer')]
    const { id, reviewId } = await t.ended(owner)
    await t.assign(one, reviewId, one.id, null)
    await t.move(one, reviewId, 'open', 'in_review')
    await t.signOff(one, id)
    await t.move(one, reviewId, 'in_review', 'completed')
    for (const wanted of [two.id, null])
      expect(await refusalOf(t.assign(owner, reviewId, wanted, one.id))).toMatchObject({
        status: 409,
        message: expect.stringContaining('completed: reopen it first'),
      })
    expect((await t.get(owner, reviewId)).assignee).toMatchObject({ membershipId: one.id })
    await t.move(owner, reviewId, 'completed', 'open')
    expect((await t.assign(owner, reviewId, two.id, null)).assignee).toMatchObject({ membershipId: two.id })
  })

  it('lets reviewers claim and hand back their own, and nothing else', async () => {
    const owner = await t.seat('owner')
    const [one, two] = [await t.seat('reviewer'), await t.seat('reviewer')]
    const { reviewId } = await t.ended(owner)
    expect(await refusalOf(t.assign(one, reviewId, two.id, null))).toMatchObject({ status: 403 })
    await t.assign(one, reviewId, one.id, null)
    expect(await refusalOf(t.assign(two, reviewId, two.id, one.id))).toMatchObject({ status: 403 })
    expect(await refusalOf(t.assign(two, reviewId, null, one.id))).toMatchObject({ status: 403 })
    await t.assign(one, reviewId, null, one.id)
    const interviewer = await t.seat('interviewer')
    expect(await refusalOf(t.assign(interviewer, reviewId, interviewer.id, null))).toMatchObject({ status: 403 })
  })

  it('goes by the permissions of a custom role', async () => {
    const owner = await t.seat('owner')
    const { reviewId } = await t.ended(owner)
    const signer = await t.holder(['report.view', 'report.sign_off'])
    const dispatcher = await t.holder(['report.view', 'session.review.assign'])
    await t.assign(dispatcher, reviewId, signer.id, null)
    expect(await refusalOf(t.assign(dispatcher, reviewId, dispatcher.id, signer.id))).toMatchObject({
      status: 400,
      details: [{ path: 'assigneeId' }],
    })
    await t.assign(signer, reviewId, null, signer.id)
  })

  it('gives none to strangers, to whoever is gone and to whoever may not sign off', async () => {
    const owner = await t.seat('owner')
    const { reviewId } = await t.ended(owner)
    const gone = await t.seat('reviewer')
    await t.people.change(owner, gone, { active: false })
    const stranger = await t.people.member('reviewer', t.server.orgs[1].orgId)
    const interviewer = await t.seat('interviewer')
    for (const { id } of [gone, stranger, interviewer, { id: 'mem_nobody' }])
      expect(await refusalOf(t.assign(owner, reviewId, id, null))).toMatchObject({ status: 400 })
  })

  it('hands back what a deactivated member had, and what they have completed stays theirs', async () => {
    const owner = await t.seat('owner')
    const reviewer = await t.seat('reviewer')
    const [taken, waiting, done] = [await t.ended(owner), await t.ended(owner), await t.ended(owner)]
    for (const { reviewId } of [taken, waiting, done]) {
      await t.assign(reviewer, reviewId, reviewer.id, null)
      await t.move(reviewer, reviewId, 'open', 'in_review')
    }
    await t.move(reviewer, waiting.reviewId, 'in_review', 'waiting')
    await t.signOff(reviewer, done.id)
    await t.move(reviewer, done.reviewId, 'in_review', 'completed')
    await t.people.change(owner, reviewer, { active: false })
    expect(await t.get(owner, taken.reviewId)).toMatchObject({ assignee: null, state: 'in_review' })
    expect(await t.get(owner, waiting.reviewId)).toMatchObject({ assignee: null, state: 'waiting' })
    expect(await t.get(owner, done.reviewId)).toMatchObject({ assignee: { membershipId: reviewer.id } })
    expect((await t.list(owner, { assignee: reviewer.id, state: 'all' })).total).toBe(1)
    expect((await t.list(owner, { assignee: 'none', state: 'waiting' })).items.map(({ id }) => id)).toContain(
      waiting.reviewId,
    )
    expect(await t.people.auditOf(taken.reviewId)).toContain('review.released')
  })

  it('hands back what somebody had whom the directory takes out', async () => {
    const owner = await t.seat('owner')
    const reviewer = await t.seat('reviewer')
    const { reviewId } = await t.ended(owner)
    await t.assign(reviewer, reviewId, reviewer.id, null)
    const switched = await fetch(`${t.server.url}/scim/v2/Users/${reviewer.id}`, {
      method: 'PATCH',
      headers: {
        authorization: `Bearer ${await scimTokenOf(t.server, t.orgId)}`,
        'content-type': 'application/scim+json',
      },
      body: JSON.stringify({ Operations: [{ op: 'replace', path: 'active', value: false }] }),
    })
    expect(switched.status).toBe(200)
    expect((await t.get(owner, reviewId)).assignee).toBeNull()
  })

  it('hands back what somebody has who loses the permission, by whatever way', async () => {
    const owner = await t.seat('owner')
    const claimed = async (by: Awaited<ReturnType<typeof t.seat>>) => {
      const { reviewId } = await t.ended(owner)
      await t.assign(by, reviewId, by.id, null)
      return reviewId
    }
    const isFree = async (reviewId: string) => expect((await t.get(owner, reviewId)).assignee).toBeNull()
    const demoted = await t.seat('reviewer')
    const first = await claimed(demoted)
    await t.people.change(owner, demoted, { role: 'interviewer' })
    await isFree(first)
    const role = await t.people.create(owner, ['report.view', 'report.sign_off'])
    const [edited, kept] = [await t.seat('interviewer'), await t.seat('reviewer')]
    await t.people.assign(owner, edited, role.id)
    const second = await claimed(edited)
    const third = await claimed(kept)
    await t.people.portal().call('portal.roles.change', {
      params: { orgId: t.orgId, roleId: role.id },
      headers: owner.headers,
      body: { permissions: ['report.view'] },
    })
    await isFree(second)
    expect((await t.get(owner, third)).assignee?.membershipId).toBe(kept.id)
    const lost = await t.people.create(owner, ['report.view', 'report.sign_off'])
    await t.people.assign(owner, edited, lost.id)
    const fourth = await claimed(edited)
    const params = { orgId: t.orgId, roleId: lost.id }
    await t.people.portal().call('portal.roles.delete', { params, headers: owner.headers })
    await isFree(fourth)
    const sixth = await claimed(kept)
    await t.people.assign(owner, kept, role.id)
    await isFree(sixth)
  })

  it('is never left with somebody who is deactivated while they claim', async () => {
    const owner = await t.seat('owner')
    for (let round = 0; round < 5; round++) {
      const reviewer = await t.seat('reviewer')
      const { reviewId } = await t.ended(owner)
      await Promise.allSettled([
        t.assign(reviewer, reviewId, reviewer.id, null),
        t.people.change(owner, reviewer, { active: false }),
      ])
      expect((await t.get(owner, reviewId)).assignee).toBeNull()
    }
  })

  it('names who can be given reviews, with how many they have, and nothing else of them', async () => {
    const owner = await t.seat('owner')
    const reviewer = await t.seat('reviewer')
    const interviewer = await t.seat('interviewer')
    const { reviewId } = await t.ended(owner)
    await t.assign(owner, reviewId, reviewer.id, null)
    const items = await t.assignees(owner)
    expect(items.find(({ membershipId }) => membershipId === reviewer.id)).toEqual({
      membershipId: reviewer.id,
      name: reviewer.email,
      openReviews: 1,
    })
    expect(items.map(({ membershipId }) => membershipId)).not.toContain(interviewer.id)
    const names = items.map(({ name }) => name)
    expect(names).toEqual([...names].sort(new Intl.Collator('en').compare))
  })
})
