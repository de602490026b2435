import { expect, it } from 'vitest'
import { verifyAudit } from '../../../src/domains/recording/audit/audit.service.ts'
import { sentRequest } from '../../test-support/candidate-requests.ts'
import { agreeOnDevice, claimPhone } from '../../test-support/devices.ts'
import { startOther } from '../../test-support/other-server.ts'
import { newPicture } from '../../test-support/world.ts'
import type { Seat } from '../people/people.test-support.ts'
import { describeReviews } from './reviews.test-support.ts'

const minute = 60_000

describeReviews('looking at a session while it goes on', (t) => {
  /** At the beginning of a minute, so that a test knows which one it is in. */
  const toNextMinute = (): string => {
    t.server.clock.advance(minute - (t.server.clock.now() % minute))
    return new Date(t.server.clock.now()).toISOString()
  }
  const live = (by: Seat, id: string) =>
    t.people.portal().call('sessions.live', { params: { id }, headers: by.headers })
  const preview = async (by: Seat, id: string, url = t.server.url): Promise<number> => {
    const answer = await fetch(`${url}/v1/sessions/${id}/companion/preview`, { headers: by.headers })
    await answer.arrayBuffer()
    return answer.status
  }
  const watched = async (by: Seat, id: string) => {
    const { data } = await t.people
      .portal()
      .call('portal.sessions.accessLog', { params: { id }, headers: by.headers, query: { limit: 100 } })
    return data.items.filter(({ what }) => what === 'session.watched')
  }
  const withPhone = async () => {
    const session = await t.live()
    const phone = await claimPhone(t.server, t.api(), session.id)
    await agreeOnDevice(t.server, t.api(), session.id, phone.token, 'companion')
    const show = async () => {
      const data = (await newPicture()).toString('base64')
      const body = {
        capturedAt: new Date(t.server.clock.now()).toISOString(),
        contentType: 'image/webp',
        data,
      } as const
      await t.server.client(phone.token).call('companion.preview.push', { params: { id: session.id }, body })
    }
    return { ...session, show }
  }

  it('leaves one row for a person and minute, whichever way and however often they look', async () => {
    const [owner, reviewer] = [await t.seat('owner'), await t.seat('reviewer')]
    const { id, show } = await withPhone()
    const first = toNextMinute()
    await show()
    await Promise.all(Array.from({ length: 5 }, () => live(owner, id)))
    for (let n = 0; n < 3; n++) expect(await preview(owner, id)).toBe(200)
    expect(await preview(reviewer, id)).toBe(200)
    const second = toNextMinute()
    await live(owner, id)
    const who = ({ userId, email }: Seat) => ({ kind: 'user', id: userId, name: email })
    const rows = (await watched(owner, id)).map(({ seq: _place, ...row }) => row)
    const what = 'session.watched'
    expect(rows[0]).toEqual({ at: second, who: who(owner), what })
    expect(rows.slice(1)).toHaveLength(2)
    expect(rows.slice(1)).toEqual(
      expect.arrayContaining([
        { at: first, who: who(owner), what },
        { at: first, who: who(reviewer), what },
      ]),
    )
    expect((await verifyAudit(t.server.app, { orgId: t.orgId })).ok).toBe(true)
  })

  it('leaves none where there is nothing to be seen, or the session is over', async () => {
    const owner = await t.seat('owner')
    const { id } = await withPhone()
    expect(await preview(owner, id)).toBe(404)
    await t.end({ id, agent: '' } as never)
    await live(owner, id)
    expect(await watched(owner, id)).toEqual([])
  })

  it('is shown to the candidate as stretches of time, one for each person', async () => {
    const [owner, reviewer] = [await t.seat('owner'), await t.seat('reviewer')]
    const { id } = await t.live()
    const at: string[] = []
    for (const lookers of [[owner], [owner, reviewer], [owner], [], [owner]]) {
      at.push(toNextMinute())
      for (const looker of lookers) await live(looker, id)
    }
    const { id: requestId, token } = await sentRequest(
      t.server,
      { orgId: t.orgId, environment: 'sandbox' },
      id,
      'access',
    )
    await t.people.portal().call('portal.candidateRequests.approve', {
      params: { orgId: t.orgId, requestId },
      headers: owner.headers,
      body: {},
    })
    const { data } = await t.server.client(token).call('candidateRequests.contents', { body: { requestId } })
    const stretch = (times: number, firstAt: string, lastAt: string) => ({
      by: 'organisation',
      thing: 'live',
      times,
      firstAt,
      lastAt,
    })
    expect(data.overview?.opened).toEqual([
      stretch(1, at[4]!, at[4]!),
      stretch(3, at[0]!, at[2]!),
      stretch(1, at[1]!, at[1]!),
    ])
  })

  it('is one row in two processes too', async () => {
    if (t.server.app.db.dialect.engine !== 'postgres') return
    const owner = await t.seat('owner')
    const { id } = await t.live()
    const other = await startOther(t.server)
    try {
      for (let round = 0; round < 5; round++) {
        toNextMinute()
        const clients = [t.server.client(), other.client()]
        const looks = Array.from({ length: 8 }, (_, n) =>
          clients[n % 2]!.call('sessions.live', { params: { id }, headers: owner.headers }),
        )
        await Promise.all(looks)
      }
      expect(await watched(owner, id)).toHaveLength(5)
    } finally {
      await other.stop()
    }
  })
})
