import { expect, it } from 'vitest'
import { describeDeliveries } from '../../test-support/delivery-bench.ts'
import { publish, publishMany } from '../../test-support/publish.ts'
import { fieldOf, openStream } from '../../test-support/sse-client.ts'

const day = 86_400_000

/** What of published events and their deliveries ends, when, and what waits for it. */
describeDeliveries('the end of events and deliveries', (t) => {
  const pass = async (days: number) => {
    t.clock.advance(days * day)
    await t.server.processAll()
    // Events go in the round after the last of their deliveries, or in the same.
    t.clock.advance(day / 24)
    await t.server.processAll()
  }
  const listed = async (query: { types?: string; cursor?: string } = {}) =>
    (await t.api.call('events.list', { query: { limit: 100, ...query } })).data
  const count = async (sql: string, params: readonly string[] = []) =>
    (await t.server.app.db.reader.get<{ n: number }>(`SELECT count(*) AS n FROM ${sql}`, params))?.n
  /** Whatever earlier tests have published ends first. */
  const clear = () => pass(400)

  it('comes after 90 days, from the oldest on, in lists, totals and counts, and sequences go on', async () => {
    await clear()
    const { id } = await t.create()
    const old = await publishMany(t.server, 5)
    await t.server.processAll()
    await pass(60)
    const young = await publishMany(t.server, 3)
    await t.server.processAll()
    expect((await listed()).total).toBe(8)
    await pass(31)
    const left = await listed()
    expect(left.items.map((event) => event.id)).toEqual(young.map((event) => event.id).toReversed())
    expect([left.total, (await listed({ types: 'session.scheduled' })).total]).toEqual([3, 3])
    expect((await t.log(id)).map((delivery) => delivery.eventId)).toEqual(left.items.map((event) => event.id))
    expect(await count('webhook_attempts')).toBe(3)
    // Those of a session go with its last event.
    const ofOld = old.map((event) => String(event.sessionId))
    expect(await count(`event_counts WHERE session_id IN (${ofOld.map(() => '?').join(', ')})`, ofOld)).toBe(0)
    expect((await publish(t.server)).seq).toBe(young[2]!.seq + 1)
    const page = (await t.api.call('events.list', { query: { limit: 2, offset: 3 } })).data
    expect([page.items.length, page.total]).toEqual([1, 4])
  })

  it('is a gap to a stream that asks for what is gone, which then goes on live', async () => {
    await clear()
    const [lost] = await publishMany(t.server, 2)
    await pass(91)
    const kept = await publish(t.server)
    const stream = await openStream(`${t.server.url}/v1/api/events/stream`, {
      authorization: `Bearer ${t.server.orgs[0].sandboxKey}`,
      'last-event-id': lost!.id,
    })
    try {
      const [gap] = await stream.seen(1)
      expect(fieldOf(gap!, 'event')).toBe('gap')
      expect(JSON.parse(fieldOf(gap!, 'data')!)).toEqual({ requested: lost!.id, oldest: kept.id })
      const next = await publish(t.server)
      expect(fieldOf((await stream.seen(2))[1]!, 'id')).toBe(next.id)
    } finally {
      stream.close()
      await stream.ended
    }
  })

  it('waits for a delivery that may be sent again, and for all that lies behind its event', async () => {
    await clear()
    const { id } = await t.create()
    const [first] = await publishMany(t.server, 3)
    await t.server.processAll()
    await pass(89)
    const [, , oldest] = await t.log(id)
    expect(oldest!.eventId).toBe(first!.id)
    const replay = await t.api.call('webhooks.deliveries.replay', { params: { id, deliveryId: oldest!.id } })
    await t.server.processAll()
    await pass(10)
    expect((await t.log(id)).map((delivery) => delivery.id)).toEqual([replay.data.id])
    expect((await listed()).total).toBe(3)
    await t.api.call('webhooks.deliveries.replay', { params: { id, deliveryId: replay.data.id } })
    const before = t.receiver.received.length
    await t.server.processAll()
    expect(t.receiver.received.length).toBe(before + 1)
    await pass(100)
    expect([(await listed()).total, (await t.log(id)).length]).toEqual([0, 0])
  })

  it('cancels after 90 days what a disabled endpoint has held back, and keeps it in the log for as long again', async () => {
    await clear()
    const { id } = await t.create()
    await publish(t.server)
    await t.setStatus(id, 'disabled')
    await pass(89)
    expect((await t.log(id)).map(({ status }) => status)).toEqual(['pending'])
    await pass(2)
    expect((await t.log(id)).map(({ status }) => status)).toEqual(['cancelled'])
    const ofStatus = await t.api.call('webhooks.deliveries.list', { params: { id }, query: { status: 'cancelled' } })
    expect(ofStatus.data.total).toBe(1)
    await t.setStatus(id, 'enabled')
    await t.server.processAll()
    expect(t.receiver.received).toEqual([])
    expect((await listed()).total).toBe(1)
    await pass(91)
    expect([(await listed()).total, (await t.log(id)).length]).toEqual([0, 0])
  })
})
