import { describe, expect, it } from 'vitest'
import { createCandidates } from '../../../src/domains/integrations/deliveries/deliveries.candidates.parts.ts'
import { claimDue } from '../../../src/domains/integrations/deliveries/deliveries.claim.service.ts'
import { createDispatcher } from '../../../src/domains/integrations/deliveries/deliveries.dispatcher.worker.ts'
import { gather } from '../../../src/platform/gather.ts'
import type { PostResult } from '../../../src/platform/http-out/http-out.ts'
import { describeDeliveries, header } from '../../test-support/delivery-bench.ts'
import { publish, publishMany } from '../../test-support/publish.ts'
import type { Received } from '../../test-support/webhook-receiver.ts'

const idsOf = (requests: readonly Received[]): string[] =>
  requests.map((request) => header(request, 'x-service-delivery-id'))

describeDeliveries('the dispatcher of webhooks', (t) => {
  describe('a receiver that hangs', () => {
    it('ends as a timeout and is tried again', async () => {
      const { id } = await t.create()
      t.receiver.answer('hang')
      await publish(t.server)
      await createDispatcher(t.server.app, { timeoutMs: 100 }).processAll()
      expect((await t.log(id))[0]).toMatchObject({ status: 'retrying', attempts: [{ outcome: 'timeout' }] })
    })

    it('does not delay the deliveries of another endpoint, however many wait for it', async () => {
      const healthy = await t.newReceiver()
      const slow = await t.create()
      t.receiver.answer('hang')
      await publishMany(t.server, 12)
      const quick = await t.create(healthy)
      const dispatcher = createDispatcher(t.server.app, { concurrency: 8, perEndpoint: 2 })
      dispatcher.start()
      await t.receiver.arrived(2)
      const event = await publish(t.server)
      await healthy.arrived(1)
      expect(header(healthy.received[0], 'x-service-event-id')).toBe(event.id)
      expect(t.receiver.received).toHaveLength(2)
      await dispatcher.stop(AbortSignal.abort())
      expect((await t.get(quick.id)).consecutiveFailures).toBe(0)
      expect((await t.log(slow.id)).every((item) => item.status === 'pending')).toBe(true)
    })

    it('does not delay another endpoint when so many hang that they take every place', async () => {
      t.receiver.answer('hang')
      for (let n = 0; n < 6; n++) await t.create()
      await publish(t.server)
      const healthy = await t.newReceiver()
      const dispatcher = createDispatcher(t.server.app, { concurrency: 6, perEndpoint: 2 })
      dispatcher.start()
      await t.receiver.arrived(6)
      await t.create(healthy)
      const event = await publish(t.server)
      // Within a second, long before any of them is given up.
      for (let n = 0; n < 4; n++) {
        await t.clock.asleep(1)
        t.clock.advance(250)
      }
      await healthy.arrived(1)
      expect(header(healthy.received[0], 'x-service-event-id')).toBe(event.id)
      await dispatcher.stop(AbortSignal.abort())
      expect(t.receiver.received.length).toBeLessThanOrEqual(12)
    })

    it('leaves nothing of a backlog that is longer than one look at the queue', async () => {
      await t.create()
      await publishMany(t.server, 520)
      const dispatcher = createDispatcher(t.server.app, { perEndpoint: 4 })
      dispatcher.start()
      // Time stands still: no poll comes to the rescue.
      await t.receiver.arrived(520)
      await dispatcher.stop()
    })

    it('is given ten seconds', async () => {
      const given: (number | undefined)[] = []
      await t.create()
      await publish(t.server)
      const { httpOut } = t.server.app
      const post: typeof httpOut.post = (url, options) => {
        given.push(options.timeoutMs)
        return httpOut.post(url, options)
      }
      await createDispatcher({ ...t.server.app, httpOut: { ...httpOut, post } }).processAll()
      expect(given).toEqual([10_000])
    })

    it('gets one attempt at a time after it has timed out', async () => {
      const { id } = await t.create()
      t.receiver.answer('hang')
      await publishMany(t.server, 3)
      const dispatcher = createDispatcher(t.server.app, { perEndpoint: 3, timeoutMs: 100 })
      await dispatcher.processAll()
      expect(t.receiver.received).toHaveLength(3)
      t.clock.advance(11_000)
      const again = dispatcher.processAll()
      await t.receiver.arrived(4)
      const claimed = await t.server.app.db.reader.all(
        'SELECT 1 AS one FROM webhook_deliveries WHERE endpoint_id = ? AND lease_owner IS NOT NULL',
        [id],
      )
      expect(claimed).toHaveLength(1)
      t.receiver.answer({ status: 204 })
      await again
      expect((await t.log(id)).map((item) => item.attemptCount)).toEqual([2, 2, 2])
    })

    it('hides nobody behind its backlog, though that is longer than one look at the queue', async () => {
      const slow = await t.create()
      await publishMany(t.server, 520)
      const quick = await t.create()
      t.clock.advance(1)
      await publish(t.server)
      const claims = await claimDue(t.server.app, {
        candidates: createCandidates(t.server.app),
        limits: {
          free: 10,
          shareOf: () => 2,
          busy: new Map(),
          nextOwner: () => 'test',
          leaseMs: 1000,
        },
      })
      const of = (id: string) => claims.filter((claim) => claim.delivery.endpointId === id).length
      expect([of(slow.id), of(quick.id)]).toEqual([2, 1])
    })
  })

  describe('several processes', () => {
    it('take over what a process that died had claimed, when its lease has run out', async () => {
      const { id } = await t.create()
      await publish(t.server)
      const claims = await claimDue(t.server.app, {
        candidates: createCandidates(t.server.app),
        limits: {
          free: 5,
          shareOf: () => 5,
          busy: new Map(),
          nextOwner: () => 'dead',
          leaseMs: 40_000,
        },
      })
      expect(claims).toHaveLength(1)
      expect((await t.log(id))[0]).toMatchObject({ status: 'pending', nextAttemptAt: null })
      t.clock.advance(39_999)
      await t.server.processAll()
      expect(t.receiver.received).toEqual([])
      t.clock.advance(1)
      await t.server.processAll()
      expect(t.receiver.received).toHaveLength(1)
      expect((await t.log(id))[0]).toMatchObject({ status: 'delivered', attemptCount: 1 })
    })

    it('send nothing that was lost between its claim and its beginning', async () => {
      const { id } = await t.create()
      await publish(t.server)
      const { app } = t.server
      let stands = true
      // A process that stops for longer than its lease right after its claim, while another takes it over.
      const transact: typeof app.db.transact = async (work) => {
        const result = await app.db.transact(work)
        if (stands) {
          stands = false
          t.clock.advance(40_000)
          await t.server.processAll()
        }
        return result
      }
      await createDispatcher({ ...app, db: { ...app.db, transact } }).processAll()
      expect(t.receiver.received).toHaveLength(1)
      expect((await t.log(id))[0]).toMatchObject({ status: 'delivered', attemptCount: 1 })
    })

    it('send each delivery once for each attempt', async () => {
      await t.create()
      t.receiver.answer((request) => ({ status: header(request, 'x-service-delivery-attempt') === '1' ? 500 : 200 }))
      await publishMany(t.server, 40)
      const dispatchers = [1, 2, 3].map(() => createDispatcher(t.server.app, { perEndpoint: 3 }))
      await Promise.all(dispatchers.map((one) => one.processAll()))
      expect(new Set(idsOf(t.receiver.received)).size).toBe(40)
      expect(t.receiver.received).toHaveLength(40)
      t.clock.advance(11_000)
      await Promise.all(dispatchers.map((one) => one.processAll()))
      expect(t.receiver.received).toHaveLength(80)
      expect(new Set(idsOf(t.receiver.received.slice(40))).size).toBe(40)
    })

    it('record nothing for an attempt that is cut off by a stop, and send it again later', async () => {
      const { id } = await t.create()
      t.receiver.answer('hang')
      await publish(t.server)
      const dispatcher = createDispatcher(t.server.app)
      dispatcher.start()
      await t.receiver.arrived(1)
      await dispatcher.stop(AbortSignal.abort())
      expect((await t.log(id))[0]).toMatchObject({ status: 'pending', attemptCount: 0, attempts: [] })
      t.receiver.answer({ status: 200 })
      t.clock.advance(60_000)
      await t.server.processAll()
      expect((await t.log(id))[0]).toMatchObject({ status: 'delivered', attemptCount: 1 })
    })

    it('send at once when they run in the background, without waiting for a poll', async () => {
      await t.create()
      const dispatcher = createDispatcher(t.server.app)
      dispatcher.start()
      await publish(t.server)
      // The clock stands still, so only the wake-up of the outbox can have brought it.
      await t.receiver.arrived(1)
      await dispatcher.stop()
      expect(t.receiver.received).toHaveLength(1)
    })

    it('drop an attempt that ends after its endpoint was deleted', async () => {
      const { id } = await t.create()
      t.receiver.answer('hang')
      await publish(t.server)
      const dispatcher = createDispatcher(t.server.app, { timeoutMs: 300 })
      const all = dispatcher.processAll()
      await t.receiver.arrived(1)
      await t.api.call('webhooks.delete', { params: { id } })
      await all
      const row = await t.server.app.db.reader.get(
        'SELECT status, attempt_count AS attempts FROM webhook_deliveries WHERE endpoint_id = ?',
        [id],
      )
      expect(row).toEqual({ status: 'cancelled', attempts: 0 })
    })
  })

  describe('an endpoint that answers well', () => {
    /** Posts that are answered round by round, and how many of them each round had. */
    const inRounds = (outcomeIn: (round: number) => PostResult) => {
      const { httpOut } = t.server.app
      const rounds: number[] = []
      let open: ((result: PostResult) => void)[] = []
      const post = () => new Promise<PostResult>((resolve) => open.push(resolve))
      const app = { ...t.server.app, httpOut: { ...httpOut, post } }
      /** Answers what is open whenever no more comes, until the work is over. */
      const during = async (work: Promise<void>) => {
        let over = false
        void work.finally(() => {
          over = true
        })
        while (!over) {
          await gather(() => open.length)
          if (open.length === 0) continue
          rounds.push(open.length)
          for (const answer of open.splice(0)) answer(outcomeIn(rounds.length))
        }
        open = []
      }
      return { app, rounds, during }
    }
    const well: PostResult = { outcome: 'success', statusCode: 204, durationMs: 1 }

    it('is sent more and more at once, sixty-four at most', async () => {
      await t.create()
      await publishMany(t.server, 400)
      const { app, rounds, during } = inRounds(() => well)
      await during(createDispatcher(app, { concurrency: 256 }).processAll())
      expect(rounds.reduce((sum, n) => sum + n, 0)).toBe(400)
      expect(rounds[0]).toBeLessThanOrEqual(4)
      expect(Math.max(...rounds)).toBeGreaterThan(32)
      expect(Math.max(...rounds)).toBeLessThanOrEqual(64)
    })

    it('leaves half of the places to the others', async () => {
      await t.create()
      await publishMany(t.server, 200)
      const { app, rounds, during } = inRounds(() => well)
      await during(createDispatcher(app, { concurrency: 16 }).processAll())
      expect(Math.max(...rounds)).toBeGreaterThan(4)
      expect(Math.max(...rounds)).toBeLessThanOrEqual(8)
    })
  })

  it('wakes for a retry when it is due, not at the next poll after that', async () => {
    const { id } = await t.create()
    t.receiver.answer((_request, index) => ({ status: index === 0 ? 500 : 204 }))
    const dispatcher = createDispatcher(t.server.app, { random: () => 0, pollMs: 60_000 })
    dispatcher.start()
    await publish(t.server)
    while ((await t.log(id))[0]?.status !== 'retrying');
    t.clock.advance(9999)
    // Asleep with the poll's wait or with its own: only the second one ends in a millisecond.
    await t.clock.asleep(1)
    expect(t.receiver.received).toHaveLength(1)
    t.clock.advance(1)
    await t.receiver.arrived(2)
    await dispatcher.stop()
    expect((await t.log(id))[0]).toMatchObject({ status: 'delivered', attemptCount: 2 })
  })

  it('never sends to an endpoint that was disabled while its attempt was under way in a process that died', async () => {
    const { id } = await t.create()
    await publish(t.server)
    await claimDue(t.server.app, {
      candidates: createCandidates(t.server.app),
      limits: {
        free: 5,
        shareOf: () => 5,
        busy: new Map(),
        nextOwner: () => 'dead',
        leaseMs: 1000,
      },
    })
    await t.setStatus(id, 'disabled')
    t.clock.advance(2000)
    await t.server.processAll()
    expect(t.receiver.received).toEqual([])
    await t.setStatus(id, 'enabled')
    await t.server.processAll()
    expect(t.receiver.received).toHaveLength(1)
  })

  it('goes on while endpoints are changed, rotated and published to at the same time', async () => {
    const { id } = await t.create()
    t.receiver.answer((_request, index) => ({ status: index % 3 === 0 ? 500 : 204 }))
    const dispatchers = [1, 2].map(() => createDispatcher(t.server.app))
    for (const dispatcher of dispatchers) dispatcher.start()
    const change = async () => {
      for (let n = 0; n < 10; n++) {
        await t.api.call('webhooks.rotateSecret', { params: { id } })
        await t.setStatus(id, 'disabled')
        await t.setStatus(id, 'enabled')
      }
    }
    const events = await Promise.all([publishMany(t.server, 30), publishMany(t.server, 30), change()])
    await Promise.all(dispatchers.map((dispatcher) => dispatcher.stop()))
    await t.setStatus(id, 'enabled')
    await t.exhaust()
    const items = await t.log(id)
    expect(items.length).toBeGreaterThan(0)
    expect(items.length).toBeLessThanOrEqual(events.flat().length)
    expect(items.every((item) => item.status === 'delivered')).toBe(true)
    expect(t.receiver.received).toHaveLength(items.flatMap((item) => item.attempts).length)
  })
})
