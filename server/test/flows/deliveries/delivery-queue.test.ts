import { expect, it } from 'vitest'
import {
  claimDeliveries,
  findDueAcrossOrgs,
  finishClaimed,
  finishDelivered,
  holdDeliveries,
  releaseDeliveries,
  retryClaimed,
} from '../../../src/domains/integrations/deliveries/deliveries.queue.store.ts'
import { describeDeliveries } from '../../test-support/delivery-bench.ts'
import { publish } from '../../test-support/publish.ts'

interface Row {
  readonly id: string
  readonly status: string
  readonly dueAt: number | null
  readonly owner: string | null
}

/** What the statements of the queue promise each other, one at a time: several processes take from it. */
describeDeliveries('the queue of deliveries', (t) => {
  const scope = () => ({ orgId: t.server.orgs[0].orgId, environment: 'sandbox' }) as const
  const rows = (endpointId: string) =>
    t.server.app.db.reader.all<Row>(
      `SELECT delivery_id AS id, status, next_attempt_at AS "dueAt", lease_owner AS owner FROM webhook_deliveries
       WHERE endpoint_id = ? ORDER BY event_seq`,
      [endpointId],
    )
  /** Deliveries of one endpoint, each due a second after the one before. */
  const waiting = async (count: number) => {
    const { id } = await t.create()
    for (let n = 0; n < count; n++) {
      await publish(t.server)
      t.clock.advance(1000)
    }
    return { endpointId: id, ids: (await rows(id)).map((row) => row.id) }
  }
  const claim = (ids: readonly string[], owner: string) =>
    t.server.app.db.transact((tx) => {
      const now = t.clock.now()
      return claimDeliveries(tx, scope(), ids, { now, leaseUntil: now + 60_000, owner })
    })

  it('gives what has been due for longest first, and no more than was asked for', async () => {
    const { ids } = await waiting(5)
    const due = (limit: number) => findDueAcrossOrgs(t.server.app.db.reader, { now: t.clock.now(), except: [], limit })
    expect((await due(3)).map((row) => row.id)).toEqual(ids.slice(0, 3))
    expect((await due(100)).map((row) => row.id)).toEqual(ids)
  })

  it('keeps nothing of a result whose claim another process has taken over', async () => {
    const { endpointId, ids } = await waiting(3)
    const [lost] = await claim(ids, 'the first')
    t.clock.advance(60_001)
    expect(await claim(ids, 'the second')).toHaveLength(3)
    const before = await rows(endpointId)
    const late = { delivery: lost!, owner: 'the first' }
    const now = t.clock.now()
    await t.server.app.db.transact(async (tx) => {
      expect([...(await finishDelivered(tx, scope(), ids, { owner: 'the first', now }))]).toEqual([])
      expect(await finishClaimed(tx, scope(), late, { status: 'dead_letter', attempts: 6, now })).toBe(false)
      expect(await retryClaimed(tx, scope(), late, { attempts: 1, at: now, hold: false })).toBe(false)
    })
    expect(await rows(endpointId)).toEqual(before)
    expect(before.map(({ owner }) => owner)).toEqual(['the second', 'the second', 'the second'])
  })

  it('holds what waits and leaves alone what is under way, and puts back what it held as it was due', async () => {
    const { endpointId, ids } = await waiting(3)
    await claim(ids.slice(0, 1), 'somebody')
    const before = await rows(endpointId)
    await t.server.app.db.transact((tx) => holdDeliveries(tx, scope(), endpointId))
    const held = await rows(endpointId)
    expect(held[0]).toEqual(before[0])
    expect(held.slice(1).map(({ dueAt }) => dueAt)).toEqual([null, null])
    await t.server.app.db.transact((tx) => releaseDeliveries(tx, scope(), endpointId))
    expect(await rows(endpointId)).toEqual(before)
  })
})
