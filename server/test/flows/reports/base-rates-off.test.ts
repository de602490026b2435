import type { Client } from '@integrity/client/every-endpoint'
import { baseRateSessions } from '@integrity/protocol'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { canReadPdf, readPdf } from '../../../src/platform/pdf/pdf.test-support.ts'
import { enginesInTurn } from '../../test-support/engines.ts'
import { portalCookie } from '../../test-support/portal.ts'
import { refusalOf } from '../../test-support/refusal.ts'
import { startServer, type TestServer } from '../../test-support/server.ts'
import { allLanes, anEvent, register, scheduleSession } from '../../test-support/world.ts'
import { asMember } from '../candidate-requests/candidate-requests.test-support.ts'

const minute = 60_000
const day = 24 * 60 * minute

for (const engine of enginesInTurn(import.meta.filename))
  describe(`settings of an organisation that two people write (${engine})`, () => {
    let server: TestServer
    let api: Client
    beforeAll(async () => {
      server = await startServer({ engine })
      api = server.client(server.orgs[0].sandboxKey)
    })
    afterAll(() => server.stop())

    const params = () => ({ orgId: server.orgs[0].orgId })
    const org = () => asMember(server, 'portal.orgs.get', { params: params() })
    const setReview = (body: { baseRates: boolean; expectedVersion?: number }, role?: 'admin' | 'reviewer') =>
      asMember(server, 'portal.orgs.review.set', { params: params(), body }, role)
    const setProtection = (body: { controller: string; expectedVersion?: number }) =>
      asMember(server, 'portal.orgs.dataProtection.set', { params: params(), body })

    const hold = async (policyId: string): Promise<string> => {
      const session = await scheduleSession(api, { policyId })
      await register(server, session, allLanes)
      server.clock.advance(minute)
      const body = { events: [anEvent(server, 'display.added')] }
      await server.client(session.agent).call('agent.events.ingest', { params: { id: session.id }, body })
      await api.call('sessions.end', { params: { id: session.id } })
      return session.id
    }
    const paperOf = async (id: string): Promise<string> => {
      const headers = await portalCookie(server, 'owner')
      const answer = await fetch(`${server.url}/v1/sessions/${id}/report/export?format=pdf`, { headers })
      expect(answer.status).toBe(200)
      return readPdf(Buffer.from(await answer.arrayBuffer())).text.replaceAll(/\s+/g, ' ')
    }
    /** What the review, the reel index and the report on paper say of how often it occurs. */
    const shownOf = async (id: string) => {
      const headers = await portalCookie(server, 'reviewer')
      const { data } = await server.client().call('portal.coverage', { params: { id }, query: {}, headers })
      const { data: index } = await api.call('sessions.reelIndex.get', { params: { id } })
      const rate = (items: readonly { rule: string; baseRate: unknown }[] = []) =>
        items.find(({ rule }) => rule === 'display_connected')?.baseRate
      const words = canReadPdf ? /in 20 of 20 interviews/.test(await paperOf(id)) : undefined
      return { review: rate(data.items), reel: rate(index?.moments), words }
    }

    it('leave base rates out of review, reel index and paper, of older interviews too, and bring them back', async () => {
      const body = { name: 'Policy', config: {} }
      const { id: policyId } = await asMember(server, 'portal.policies.create', { params: params(), body })
      const ids: string[] = []
      for (let n = 0; n < baseRateSessions; n += 1) ids.push(await hold(policyId))
      server.clock.advance(day + 60 * minute)
      await server.processAll()
      const all = { sessions: 20, seenIn: 20 }
      const words = canReadPdf ? true : undefined
      expect(await shownOf(ids[0]!)).toEqual({ review: all, reel: all, words })
      expect((await org()).review).toEqual({ baseRates: true, version: 0, updatedAt: null })
      expect(await setReview({ baseRates: false, expectedVersion: 0 })).toMatchObject({ baseRates: false, version: 1 })
      expect(await shownOf(ids[0]!)).toEqual({ review: null, reel: null, words: words && false })
      await setReview({ baseRates: true })
      expect(await shownOf(ids[0]!)).toEqual({ review: all, reel: all, words })
      expect((await org()).review).toMatchObject({ baseRates: true, version: 2 })
    })

    it('are refused to who has not seen the latest, and nothing of it is written', async () => {
      const { version } = (await org()).review
      await setReview({ baseRates: false, expectedVersion: version })
      const late = await refusalOf(setReview({ baseRates: true, expectedVersion: version }))
      expect(late).toMatchObject({ status: 409, code: 'conflict' })
      expect((await org()).review).toMatchObject({ baseRates: false, version: version + 1 })

      const { version: seen } = (await org()).dataProtection
      await setProtection({ controller: 'First Ltd', expectedVersion: seen })
      const second = await refusalOf(setProtection({ controller: 'Second Ltd', expectedVersion: seen }))
      expect(second).toMatchObject({ status: 409, code: 'conflict' })
      expect((await org()).dataProtection).toMatchObject({ controller: 'First Ltd', version: seen + 1 })
      // Who says nothing of what they have seen replaces it, as before.
      expect(await setProtection({ controller: 'Third Ltd' })).toMatchObject({
        controller: 'Third Ltd',
        version: seen + 2,
      })
    })

    it('are one after the other where two arrive at once', async () => {
      const { version } = (await org()).dataProtection
      const both = await Promise.allSettled(
        ['One Ltd', 'Two Ltd'].map((controller) => setProtection({ controller, expectedVersion: version })),
      )
      expect(both.map(({ status }) => status).toSorted()).toEqual(['fulfilled', 'rejected'])
      expect((await org()).dataProtection.version).toBe(version + 1)
    })

    it('are set by who manages the organisation alone', async () => {
      expect(await refusalOf(setReview({ baseRates: true }, 'reviewer'))).toMatchObject({ status: 403 })
    })
  })
