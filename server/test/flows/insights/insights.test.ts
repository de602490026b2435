import { milestoneNames } from '@integrity/protocol'
import { expect, it } from 'vitest'
import { inDays, invitedSession } from '../../test-support/invitations.ts'
import { refusalOf } from '../../test-support/refusal.ts'
import { completeReview, reviewedSession } from '../../test-support/reviews.ts'
import { scheduleSession, type World } from '../../test-support/world.ts'
import { asMember } from '../candidate-requests/candidate-requests.test-support.ts'
import { describePeople } from '../people/people.test-support.ts'

const dayMs = 86_400_000

describePeople("an organisation's own work", (t) => {
  const insights = (query: { from?: string; to?: string } = {}) =>
    asMember(t.server, 'portal.insights.get', { params: { orgId: t.orgId }, query })
  const iso = (at: number) => new Date(at).toISOString()
  const world = (environment: 'live' | 'sandbox', org: 0 | 1 = 0) => {
    const { orgId, liveKey, sandboxKey } = t.server.orgs[org]
    const key = environment === 'live' ? liveKey : sandboxKey
    return { server: t.server, scope: { orgId, environment }, key } as World
  }
  const at = ({ milestones }: Awaited<ReturnType<typeof insights>>) =>
    Object.fromEntries(milestones.map((one) => [one.name, one.at]))
  const stages = ({ funnel }: Awaited<ReturnType<typeof insights>>) =>
    Object.fromEntries(funnel.map(({ stage, sessions }) => [stage, sessions]))

  it('begins with nothing but its beginning, on each of thirty days', async () => {
    const none = await insights()
    expect(none.milestones.map(({ name }) => name)).toEqual(milestoneNames)
    expect(at(none)).toMatchObject({ organisation_created: iso(t.server.clock.now()), first_session_started: null })
    expect(stages(none)).toEqual({ scheduled: 0, live: 0, ended: 0, reviewed: 0 })
    expect(none.reviews).toEqual({
      completed: 0,
      openNow: 0,
      oldestOpenAt: null,
      turnaroundMedianMs: null,
      turnaroundP90Ms: null,
    })
    expect(none.daily).toHaveLength(30)
  })

  it('counts each stage on its day, of the live environment and of that organisation alone', async () => {
    const first = t.server.clock.now()
    await reviewedSession(world('sandbox'))
    await reviewedSession(world('live', 1))
    const kept = await reviewedSession(world('live'))
    await scheduleSession(t.server.client(t.server.orgs[0].liveKey))
    expect((await insights()).reviews).toMatchObject({ openNow: 1, oldestOpenAt: iso(first), completed: 0 })
    t.server.clock.advance(2 * dayMs)
    await completeReview(world('live'), kept)
    const later = await insights()
    expect(stages(later)).toEqual({ scheduled: 2, live: 1, ended: 1, reviewed: 1 })
    expect(later.reviews).toEqual({
      completed: 1,
      openNow: 0,
      oldestOpenAt: null,
      turnaroundMedianMs: 2 * dayMs,
      turnaroundP90Ms: 2 * dayMs,
    })
    const daily = { scheduled: 2, live: 1, ended: 1 }
    expect(later.daily.filter(({ scheduled }) => scheduled > 0)).toEqual([{ date: iso(first).slice(0, 10), ...daily }])
    expect(at(later)).toMatchObject({
      first_sandbox_session: iso(first),
      first_session_scheduled: iso(first),
      first_session_started: iso(first),
      first_session_ended: iso(first),
      first_review_completed: iso(first + 2 * dayMs),
    })
    const today = await insights({ from: iso(t.server.clock.now()) })
    expect(stages(today)).toEqual({ scheduled: 0, live: 0, ended: 0, reviewed: 1 })
  })

  it('takes the middle and the ninth tenth of what reviews took', async () => {
    const before = t.server.clock.now() + dayMs
    t.server.clock.advance(2 * dayMs)
    for (const hours of [1, 2, 3, 4, 10]) {
      const one = await reviewedSession(world('live'))
      t.server.clock.advance(hours * 3_600_000)
      await completeReview(world('live'), one)
    }
    const { reviews } = await insights({ from: iso(before) })
    expect(reviews).toMatchObject({ completed: 5, turnaroundMedianMs: 3 * 3_600_000, turnaroundP90Ms: 10 * 3_600_000 })
  })

  it('says what became of those who were invited', async () => {
    t.server.clock.advance(2 * dayMs)
    const from = iso(t.server.clock.now())
    const link = (token: string) => t.server.client(token)
    const [joined, declined, revoked] = [
      await invitedSession(world('live')),
      await invitedSession(world('live')),
      await invitedSession(world('live')),
    ]
    await invitedSession(world('sandbox'))
    // This one's message goes out: the link of no other was replaced meanwhile.
    const { id } = await scheduleSession(t.server.client(t.server.orgs[0].liveKey), { schedule: inDays(t.server, 3) })
    await asMember(t.server, 'portal.invitations.create', {
      params: { orgId: t.orgId, id },
      body: { email: 'candidate@example.org', name: 'Candidate 1' },
    })
    await link(joined.token).call('invitations.inspect', { body: {} })
    await link(joined.token).call('invitations.ticket', { body: {} })
    await link(declined.token).call('invitations.decline', { body: {} })
    await asMember(t.server, 'portal.invitations.revoke', {
      params: { orgId: t.orgId, id: revoked.sessionId, invitationId: revoked.invitationId },
      body: {},
    })
    await t.server.processAll()
    const soon = (await insights({ from })).invitations
    expect(soon).toEqual({ sent: 1, opened: 1, accepted: 1, declined: 1, expired: 0 })
    t.server.clock.advance(60 * dayMs)
    const { invitations } = await insights({ from })
    expect(invitations).toEqual({ ...soon, expired: 1 })
  })

  it('is refused to whoever may not see it, and with more than a year of days', async () => {
    const params = { orgId: t.orgId }
    expect(
      await refusalOf(asMember(t.server, 'portal.insights.get', { params, query: {} }, 'interviewer')),
    ).toMatchObject({ status: 403 })
    expect((await refusalOf(insights({ from: '2000-01-01T00:00:00Z' }))).status).toBe(400)
  })
})
