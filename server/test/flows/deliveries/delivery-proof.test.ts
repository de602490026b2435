import { readdir, readFile } from 'node:fs/promises'
import path from 'node:path'
import { disableAfter, maxAttempts } from '@integrity/protocol'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { type FreshDatabase, freshDatabase } from '../../test-support/databases.ts'
import { failing, slow, waitAfter } from '../../test-support/delivery-proof.plan.ts'
import { type AttemptRow, type DeliveryRow, type Proof, runProof } from '../../test-support/delivery-proof.run.ts'
import { everyEngine } from '../../test-support/engines.ts'
import { proofSeeds, proofSize } from '../../test-support/proof.ts'
import type { Receipt } from '../../test-support/scripted-receivers.ts'

/*
 * A real server in a process of its own, killed with SIGKILL five times, and twenty receivers, six of them well: two
 * get every event, four of each ten one; the others get 12 events (enough for ten dead letters in a row), or 3 where each attempt
 * lasts until its deadline. The clock is the test's: it goes from one due attempt to the next, so two hours of
 * retries pass in seconds and lateness is exact. Killed are: the process while a receiver hangs, three times in the
 * flood of first attempts, and once among the retries. A claim that a kill cut off is due again when its lease ends;
 * that is the only excuse for being late. EVENTS and SEED change the number of events and the course of the run.
 */
const events = proofSize({ small: { sqlite: 500, postgres: 150 }, large: { sqlite: 10_000, postgres: 500 } })
const [fixed = 0, random = fixed] = proofSeeds()
/** In each run one seed an engine, as half of it is waiting for receivers that hang; at night both. */
const seedsOf = proofSize({
  small: { sqlite: [fixed], postgres: [random] },
  large: { sqlite: proofSeeds(), postgres: proofSeeds() },
})

const percentile = (values: readonly number[], share: number): number =>
  [...values].sort((a, b) => a - b)[Math.ceil(values.length * share) - 1] ?? Number.NaN

const groupBy = <T>(items: readonly T[], keyOf: (item: T) => string): Map<string, T[]> => {
  const groups = new Map<string, T[]>()
  for (const item of items) {
    const key = keyOf(item)
    const group = groups.get(key)
    if (group) group.push(item)
    else groups.set(key, [item])
  }
  return groups
}

const wells = [1, 2, 3, 4, 5, 6].map((n) => `well-${n}`)

const cases = everyEngine().flatMap((engine) => seedsOf[engine].map((seed) => ({ engine, seed })))
for (const { engine, seed } of cases)
  describe(`deliveries through five kills (${engine}, seed ${seed})`, () => {
    const total = Number(process.env['EVENTS'] ?? events[engine])
    let database: FreshDatabase
    let proof: Proof
    let nameOf: ReadonlyMap<string, string>
    let attemptsOf: Map<string, AttemptRow[]>
    let receiptsOf: Map<string, Receipt[]>

    beforeAll(async () => {
      const begun = performance.now()
      database = await freshDatabase(engine)
      proof = await runProof(database, total, seed)
      nameOf = new Map([...proof.ids].map(([name, id]) => [id, name]))
      attemptsOf = groupBy(proof.attempts, (row) => row.deliveryId)
      receiptsOf = groupBy(proof.receivers.receipts, (receipt) => receipt.endpoint)
      const p99 = percentile(proof.hanging.latencies, 0.99).toFixed(0)
      const took = ((performance.now() - begun) / 1000).toFixed(1)
      const counts = `${proof.events.length} events, ${proof.deliveries.length} deliveries, ${proof.receivers.receipts.length} requests, ${proof.attempts.length} attempts`
      console.log(
        `${engine}, seed ${seed}: ${counts}, ${proof.cutOff.length} cut off by ${proof.kills} kills, ${took} s, p99 beside a hanging receiver ${p99} ms`,
      )
    }, 900_000)
    afterAll(async () => {
      await proof?.receivers.stop()
      await database?.drop()
    })

    const deliveriesTo = (name: string): DeliveryRow[] =>
      proof.deliveries.filter((row) => nameOf.get(row.endpointId) === name)
    const receiptsAt = (name: string): Receipt[] => receiptsOf.get(name) ?? []
    const outcomesAt = (name: string): Set<string> =>
      new Set(
        deliveriesTo(name).flatMap((row) => (attemptsOf.get(row.id) ?? []).map((a) => `${a.outcome} ${a.statusCode}`)),
      )
    const statusesAt = (name: string): Record<string, number> => {
      const groups = groupBy(deliveriesTo(name), (row) => row.status)
      return Object.fromEntries([...groups].map(([status, group]) => [status, group.length]))
    }
    /** Of which kill-cut claims is this attempt the repetition? */
    const cutOff = (deliveryId: string, attempt: number) =>
      proof.cutOff.filter((claim) => claim.id === deliveryId && claim.attempts === attempt - 1)

    it('was killed five times, in the middle of sending', () => {
      expect(proof.kills).toBe(5)
      expect(proof.cutOff.length).toBeGreaterThan(0)
    })

    it('loses no event that was acknowledged', () => {
      expect(proof.events).toHaveLength(total)
      const stored = new Set(proof.events.map((event) => event.id))
      expect(proof.acknowledged.filter((id) => !stored.has(id))).toEqual([])
    })

    it.each(wells)('brings every event that it asked for to %s', (name) => {
      const types = proof.plans[name]?.types ?? []
      const due = proof.events.filter((event) => types.includes('*') || types.includes(event.type))
      const received = new Set(receiptsAt(name).map((receipt) => receipt.eventId))
      expect(due.filter((event) => !received.has(event.id))).toEqual([])
      expect(received.size).toBe(due.length)
      expect(statusesAt(name)).toEqual({ delivered: due.length })
    })

    it('signs every request anew, with the time of sending, the secret in force and the id of the event', () => {
      expect(proof.receivers.receipts.filter((receipt) => receipt.faults.length > 0)).toEqual([])
      const eventOf = new Map(proof.deliveries.map((row) => [row.id, row.eventId]))
      expect(proof.receivers.receipts.filter((r) => eventOf.get(r.deliveryId) !== r.eventId)).toEqual([])
    })

    it('sends an attempt twice only when a kill cut it off', () => {
      const same = groupBy(proof.receivers.receipts, (r) => `${r.deliveryId} ${r.attempt}`)
      const unexcused = [...same.values()].filter(([first, ...more]) => {
        const kills = first ? cutOff(first.deliveryId, first.attempt).length : 0
        return more.length > kills
      })
      expect(unexcused).toEqual([])
    })

    it('logs an attempt for each request that was not cut off, and a request for each attempt', () => {
      const logged = new Set(proof.attempts.map((row) => `${row.deliveryId} ${row.attempt}`))
      const unlogged = proof.receivers.receipts.filter((r) => !logged.has(`${r.deliveryId} ${r.attempt}`))
      // The last request to an endpoint that was disabled or deleted meanwhile may never be repeated.
      expect(unlogged.filter((r) => cutOff(r.deliveryId, r.attempt).length === 0)).toEqual([])
      const requested = new Set(proof.receivers.receipts.map((r) => `${r.deliveryId} ${r.attempt}`))
      const unrequested = proof.attempts.filter(
        // Nobody may have heard of one that nobody answered, such as one for which no connection came up in time.
        (row) => row.statusCode !== null && !requested.has(`${row.deliveryId} ${row.attempt}`),
      )
      expect(unrequested).toEqual([])
    })

    it('makes no attempt before its wait is over, nor more than a tenth later', () => {
      const wrong: unknown[] = []
      let judged = 0
      for (const delivery of proof.deliveries) {
        const name = nameOf.get(delivery.endpointId) ?? ''
        // Held while it was disabled, then sent once it was enabled: no wait of the schedule.
        if (name === 'fails' && delivery.status === 'delivered') continue
        const attempts = attemptsOf.get(delivery.id) ?? []
        for (const [index, { at, attempt }] of attempts.slice(1).entries()) {
          const before = attempts[index]
          if (!before) continue
          const wait = waitAfter(before.attempt)
          const repeated = Math.max(0, ...cutOff(delivery.id, attempt).map((claim) => claim.leaseUntil))
          const latest = Math.max(before.at + wait, repeated) + wait * 0.1
          judged += 1
          if (at < before.at + wait || at > latest) wrong.push({ name, attempt, waited: at - before.at, wait })
        }
      }
      expect(wrong).toEqual([])
      expect(judged).toBeGreaterThan(100)
    })

    it('lets a hanging receiver delay nobody who is well', () => {
      // Its request was open before the first and after the last of the paced events, which all arrived in between.
      expect(proof.hanging).toMatchObject({ before: 1, after: 1 })
      expect(proof.hanging.latencies).toHaveLength(50 * wells.length)
    })

    it.each([
      ['fails', 'http_error 500'],
      ['redirects', 'http_error 307'],
      ['gone', 'http_error 410'],
      ['bad-tls', 'network_error null'],
    ])('makes dead letters of six attempts for %s, and disables it after ten in a row', (name, outcome) => {
      const dead = deliveriesTo(name).filter((row) => row.status === 'dead_letter')
      expect(dead.length).toBeGreaterThanOrEqual(disableAfter)
      expect(dead.every((row) => row.attemptCount === maxAttempts)).toBe(true)
      expect(outcomesAt(name)).toContain(outcome)
      expect(proof.shown.get(name)).toEqual({ status: 'disabled', consecutiveFailures: dead.length })
    })

    it('follows no redirect', () => {
      expect(proof.receivers.strayed).toEqual([])
    })

    it('shows a bad certificate nothing of the event', () => {
      expect(receiptsAt('bad-tls')).toEqual([])
    })

    it('makes dead letters for a receiver that hangs, which stays enabled below ten', () => {
      const dead = deliveriesTo('hangs').filter((row) => row.status === 'dead_letter')
      expect(dead).toHaveLength(slow.count)
      expect(dead.every((row) => row.attemptCount === maxAttempts)).toBe(true)
      expect(proof.shown.get('hangs')).toEqual({ status: 'enabled', consecutiveFailures: slow.count })
    })

    it.each([
      ['fails-twice', failing.count, 3, 'http_error 500'],
      ['busy-429', failing.count, 3, 'http_error 429'],
      ['busy-503', failing.count, 2, 'http_error 503'],
      ['resets-before', failing.count, 3, 'network_error null'],
      ['resets-after', failing.count, 3, 'network_error null'],
      // The status decides once it is there, whatever becomes of what comes after it.
      ['breaks-off', failing.count, 1, 'success 200'],
      ['floods', failing.count, 1, 'success 200'],
    ])('delivers to %s in the end: %i events, attempt %i', (name, count, attempt, outcome) => {
      expect(deliveriesTo(name).map((row) => [row.status, row.attemptCount])).toEqual(
        Array.from({ length: count }, () => ['delivered', attempt]),
      )
      expect(outcomesAt(name)).toContain(outcome)
    })

    it('delivers to a receiver that drips once its status is there, though its answer never ends', () => {
      expect(deliveriesTo('drips').map(({ status }) => status)).toEqual(Array(slow.count).fill('delivered'))
      // Where not even the status came in the short time that this one has, it is tried again.
      expect(outcomesAt('drips')).toContain('success 200')
      expect(outcomesAt('drips')).not.toContain('timeout 200')
    })

    it('reads little of 50 MB and keeps 1 KiB', () => {
      const flooded = proof.receivers.endpoints.get('floods')?.flooded ?? []
      expect(flooded.length).toBeGreaterThanOrEqual(failing.count)
      expect(Math.max(...flooded)).toBeLessThan(25 * 1024 * 1024)
      const kept = deliveriesTo('floods').flatMap((row) => (attemptsOf.get(row.id) ?? []).map((a) => a.excerpt?.length))
      expect(new Set(kept)).toEqual(new Set([1024]))
    })

    it('sends nothing to a deleted endpoint and cancels what it had waiting', () => {
      expect(receiptsAt('deleted').filter((receipt) => receipt.at > proof.deletedAt)).toEqual([])
      expect(statusesAt('deleted')).toEqual({ cancelled: failing.count })
    })

    it('replays a dead letter as a new delivery of the same event and keeps the old one as it was', () => {
      const of = (id: string) => proof.deliveries.find((row) => row.id === id)
      const [old, fresh] = [of(proof.replayed.old), of(proof.replayed.fresh)]
      expect(old).toMatchObject({ status: 'dead_letter', attemptCount: maxAttempts, replayOf: null })
      expect(attemptsOf.get(proof.replayed.old)).toHaveLength(maxAttempts)
      expect(fresh).toMatchObject({ status: 'delivered', eventId: old?.eventId, replayOf: old?.id })
    })

    it('goes on with what was held when an endpoint is enabled again, its count clean', () => {
      const done = deliveriesTo('fails').filter((row) => row.status === 'delivered')
      expect(deliveriesTo('fails')).toHaveLength(failing.count)
      expect(done.length).toBe(failing.count - deliveriesTo('fails').filter((r) => r.status === 'dead_letter').length)
      expect(proof.mended).toEqual({ status: 'enabled', consecutiveFailures: 0 })
    })

    it('writes one e-mail to the admins for each endpoint that was disabled', async () => {
      const folder = path.join(database.dataDir, 'outbox')
      const names = await readdir(folder)
      const texts = await Promise.all(names.map((name) => readFile(path.join(folder, name), 'utf8')))
      // Whatever transfer encoding the message has: as it is, quoted-printable, base64.
      const plain = texts.map((text) => {
        const body = text.split('\r\n\r\n')[1] ?? ''
        return `${text}\n${text.replace(/=\r\n/g, '')}\n${Buffer.from(body, 'base64').toString('utf8')}`
      })
      expect(texts.every((text) => text.includes('To: owner@example.org'))).toBe(true)
      for (const name of ['fails', 'redirects', 'bad-tls', 'gone']) {
        const url = proof.receivers.endpoints.get(name)?.url ?? ''
        expect(plain.filter((text) => text.includes(url))).toHaveLength(1)
      }
      expect(plain).toHaveLength(4)
    })
  })
