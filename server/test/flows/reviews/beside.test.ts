import { describe, expect, it } from 'vitest'
import { sentRequest } from '../../test-support/candidate-requests.ts'
import { anEvent, newPicture, sha256, stillFor, type WorldSession } from '../../test-support/world.ts'
import type { Seat } from '../people/people.test-support.ts'
import { readReel } from '../reels/reels.test-support.ts'
import { describeReviews } from './reviews.test-support.ts'

const second = 1000
const day = 86_400_000

describeReviews('what a queue shows beside a review', (t) => {
  const scope = () => ({ orgId: t.orgId, environment: 'sandbox' }) as const
  const beside = async (by: Seat, sessionId: string) => {
    const [item] = (await t.list(by, { sessionId, state: 'all' })).items
    if (!item) throw new Error(`${sessionId} has no review`)
    return item
  }
  const asks = (sessionId: string, kind: Parameters<typeof sentRequest>[3]) =>
    sentRequest(t.server, scope(), sessionId, kind)
  const decide = (by: Seat, verb: 'approve' | 'complete', requestId: string) =>
    t.people.portal().call(`portal.candidateRequests.${verb}`, {
      params: { orgId: t.orgId, requestId },
      headers: by.headers,
      body: {},
    })

  it('counts the words of a candidate until somebody has marked them as read', async () => {
    const owner = await t.seat('owner')
    const { id } = await t.ended(owner)
    expect(await beside(owner, id)).toMatchObject({ unreadStatements: 0, openRequests: 0, answerDueAt: null })
    const { id: requestId } = await asks(id, 'context_statement')
    expect(await beside(owner, id)).toMatchObject({ unreadStatements: 1, openRequests: 0, answerDueAt: null })
    await decide(owner, 'complete', requestId)
    expect(await beside(owner, id)).toMatchObject({ unreadStatements: 0, openRequests: 0 })
    const other = await t.ended(owner)
    expect(await beside(owner, other.id)).toMatchObject({ unreadStatements: 0 })
  })

  it('shows the earliest day on which an answer is due, a month after a request, until it is decided', async () => {
    const owner = await t.seat('owner')
    const { id } = await t.ended(owner)
    const monthAfter = () => {
      const at = new Date(t.server.clock.now())
      const next = new Date(Date.UTC(at.getUTCFullYear(), at.getUTCMonth() + 2, 0))
      const date = Math.min(at.getUTCDate(), next.getUTCDate())
      return new Date(Date.UTC(at.getUTCFullYear(), at.getUTCMonth() + 1, date) + (at.getTime() % day)).toISOString()
    }
    const first = await asks(id, 'access')
    const dueFirst = monthAfter()
    t.server.clock.advance(2 * second)
    await asks(id, 'erasure')
    const dueSecond = monthAfter()
    expect(dueSecond > dueFirst).toBe(true)
    expect(await beside(owner, id)).toMatchObject({ openRequests: 2, answerDueAt: dueFirst, unreadStatements: 0 })
    await decide(owner, 'approve', first.id)
    expect(await beside(owner, id)).toMatchObject({ openRequests: 1, answerDueAt: dueSecond })
  })

  it('says when the service deletes it: what was told, or less where less is set; not while it is held or once it is gone', async () => {
    const owner = await t.seat('owner')
    const { id } = await t.ended(owner, { config: { retentionDays: 30 } })
    const { headers } = owner
    const { endedAt } = await beside(owner, id)
    const after = (days: number) => new Date(Date.parse(endedAt) + days * day).toISOString()
    expect((await beside(owner, id)).deletionDueAt).toBe(after(30))
    const params = { orgId: t.orgId }
    const set = (defaultDays: number) =>
      t.people.portal().call('portal.retention.put', { params, headers, body: { defaultDays } })
    await set(10)
    expect((await beside(owner, id)).deletionDueAt).toBe(after(10))
    await set(300)
    expect((await beside(owner, id)).deletionDueAt).toBe(after(30))
    const hold = (on: boolean) =>
      t.people.portal().call('portal.retention.sessions.hold', {
        params: { ...params, sessionId: id },
        headers,
        body: { on, reason: 'Case 12' },
      })
    await hold(true)
    expect((await beside(owner, id)).deletionDueAt).toBeNull()
    await hold(false)
    const ofAll = (on: boolean) =>
      t.people.portal().call('portal.retention.hold', { params, headers, body: { on, reason: 'Case 13' } })
    await ofAll(true)
    expect((await beside(owner, id)).deletionDueAt).toBeNull()
    await ofAll(false)
    expect((await beside(owner, id)).deletionDueAt).toBe(after(30))
    await t.api().call('sessions.erase', { params: { id } })
    expect((await beside(owner, id)).deletionDueAt).toBeNull()
  })

  it('finds interviews by where their review stands, whoever moves it', async () => {
    const owner = await t.seat('owner')
    const never = await t.live()
    const { id, reviewId } = await t.ended(owner)
    const states = ['open', 'in_review', 'waiting', 'completed', 'none'] as const
    const foundBy = async (sessionId: string) => {
      const found: string[] = []
      for (const reviewState of states) {
        const { data } = await t.people.portal().call('portal.sessions.list', {
          params: { orgId: t.orgId },
          headers: owner.headers,
          query: { reviewState, limit: 100 },
        })
        expect(data.totalIsExact).toBe(true)
        if (data.items.some((session) => session.id === sessionId)) found.push(reviewState)
      }
      return found
    }
    expect(await foundBy(never.id)).toEqual(['none'])
    expect(await foundBy(id)).toEqual(['open'])
    await t.signOff(owner, id)
    for (const [from, to] of [
      ['open', 'in_review'],
      ['in_review', 'waiting'],
      ['waiting', 'completed'],
      ['completed', 'open'],
    ] as const) {
      await t.move(owner, reviewId, from, to)
      expect(await foundBy(id)).toEqual([to])
      expect((await beside(owner, id)).state).toBe(to)
    }
  })

  describe('moments', () => {
    /** A picture a minute for an hour, and displays that are connected in the first and in the last of them. */
    const withMoments = async (): Promise<WorldSession> => {
      const session = await t.live()
      const agent = t.server.client(session.agent)
      const params = { id: session.id }
      for (let minute = 0; minute <= 60; minute += 20) {
        const picture = await newPicture()
        const still = { ...stillFor(t.server, picture), sha256: sha256(picture), data: picture.toString('base64') }
        await agent.call('agent.screenshots.upload', { params, body: still })
        if (minute % 60 === 0)
          await agent.call('agent.events.ingest', { params, body: { events: [anEvent(t.server)] } })
        if (minute < 60) t.server.clock.advance(20 * 60 * second)
      }
      await t.end(session)
      return session
    }
    const reelUrl = (api: string, id: string, asked: string) =>
      `${t.server.url}/v1/${api}/${id}/reels/screen:d1?${asked}`
    const plays = async ({ headers }: Seat, { id }: WorldSession, asked: string) =>
      expect((await readReel(reelUrl('sessions', id, asked), headers)).status).toBe(200)
    const placesOf = async (id: string) =>
      (await t.api().call('sessions.reelIndex.get', { params: { id } })).data.moments.map(({ atMs }) => atMs)
    const countThem = async () => {
      t.server.clock.advance(day + 3600 * second)
      await t.server.processAll()
    }

    it('are opened once somebody has played their place, before or after they are counted', async () => {
      const session = await withMoments()
      const places = await placesOf(session.id)
      expect(places.length).toBeGreaterThanOrEqual(2)
      const [first = 0, last = 0] = [places[0], places.at(-1)]
      expect(last - first).toBeGreaterThan(1800 * second)
      const early = places.filter((atMs) => atMs < 60 * second).length
      await plays(await t.seat('owner'), session, 'from=0&to=60000')
      await countThem()
      const owner = await t.seat('owner')
      const counted = async () => (await beside(owner, session.id)).opened
      expect(await counted()).toEqual({ moments: early, ofMoments: places.length })
      // A small picture along the axis is no look, nor is what a program fetches, nor what is elsewhere.
      await plays(owner, session, 'from=0&size=small')
      const key = { authorization: `Bearer ${t.server.orgs[0].sandboxKey}` }
      expect((await readReel(reelUrl('api/sessions', session.id, `from=${last - 1}`), key)).status).toBe(200)
      const elsewhere = { from: 300 * second, to: 310 * second }
      expect(places.filter((atMs) => atMs >= elsewhere.from && atMs < elsewhere.to)).toEqual([])
      await plays(owner, session, `from=${elsewhere.from}&to=${elsewhere.to}`)
      expect(await counted()).toEqual({ moments: early, ofMoments: places.length })
      await t.addNote(owner, session.id, { text: 'The lamp went out.', anchor: { atMs: last } })
      expect(await counted()).toEqual({ moments: early, ofMoments: places.length })
      const late = places.filter((atMs) => atMs >= last - 1).length
      for (let n = 0; n < 2; n++) await plays(owner, session, `from=${last - 1}`)
      expect(await counted()).toEqual({ moments: early + late, ofMoments: places.length })
    })

    it('are forgotten with the interview', async () => {
      const session = await withMoments()
      await countThem()
      const owner = await t.seat('owner')
      expect((await beside(owner, session.id)).opened.ofMoments).toBeGreaterThan(0)
      await t.api().call('sessions.erase', { params: { id: session.id } })
      const kept = await t.server.app.db.reader.all('SELECT unopened_moments AS n FROM reviews WHERE session_id = ?', [
        session.id,
      ])
      expect(kept).toEqual([{ n: null }])
      expect((await beside(owner, session.id)).opened.moments).toBe(0)
    })
  })
})
