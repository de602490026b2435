import { maxAttempts } from '@integrity/protocol'
import { expect, it } from 'vitest'
import { createDispatcher } from '../../../src/domains/integrations/deliveries/deliveries.dispatcher.worker.ts'
import type { PostResult } from '../../../src/platform/http-out/http-out.ts'
import { describeDeliveries } from '../../test-support/delivery-bench.ts'
import { publish } from '../../test-support/publish.ts'
import { until } from '../../test-support/until.ts'

/** What became of a delivery between the beginning of an attempt and its record. */
describeDeliveries('a delivery under way', (t) => {
  it.each<[string, PostResult, number]>([
    ['failed', { outcome: 'http_error', statusCode: 500, durationMs: 1 }, 0],
    ['failed for the last time', { outcome: 'http_error', statusCode: 500, durationMs: 1 }, maxAttempts - 1],
    ['arrived', { outcome: 'success', statusCode: 200, durationMs: 1 }, 0],
  ])(
    'keeps nothing of an attempt that outlasted its lease and %s, though the same process took the delivery again',
    async (_how, late, before) => {
      const { id } = await t.create()
      await publish(t.server)
      await t.server.app.db.transact((tx) =>
        tx.run('UPDATE webhook_deliveries SET attempt_count = ? WHERE endpoint_id = ?', [before, id]),
      )
      const answers: ((result: PostResult) => void)[] = []
      const post = () => new Promise<PostResult>((resolve) => answers.push(resolve))
      let committed = 0
      const { app } = t.server
      const transact: typeof app.db.transact = (work) => app.db.transact(work).finally(() => (committed += 1))
      const overrides = { httpOut: { ...app.httpOut, post }, db: { ...app.db, transact } }
      const dispatcher = createDispatcher({ ...app, ...overrides })
      const sending = [dispatcher.processAll()]
      await until(() => answers.length === 1)
      t.clock.advance(40_000)
      sending.push(dispatcher.processAll())
      await until(() => answers.length === 2)
      const claimed = committed
      answers[0]?.(late)
      await until(() => committed > claimed)
      answers[1]?.({ outcome: 'success', statusCode: 204, durationMs: 1 })
      await Promise.all(sending)
      const attempts = [{ attempt: before + 1, outcome: 'success', statusCode: 204 }]
      expect((await t.log(id))[0]).toMatchObject({ status: 'delivered', attemptCount: before + 1, attempts })
      expect((await t.get(id)).consecutiveFailures).toBe(0)
    },
  )

  it('waits no longer once its endpoint was disabled while an attempt was under way that failed', async () => {
    const { id } = await t.create()
    await publish(t.server)
    const { app } = t.server
    const post = async (): Promise<PostResult> => {
      await t.setStatus(id, 'disabled')
      return { outcome: 'http_error', statusCode: 500, durationMs: 1 }
    }
    await createDispatcher({ ...app, httpOut: { ...app.httpOut, post } }).processAll()
    expect((await t.log(id))[0]).toMatchObject({ status: 'retrying', attemptCount: 1, nextAttemptAt: null })
    await t.setStatus(id, 'enabled')
    t.clock.advance(11_000)
    await t.server.processAll()
    expect((await t.log(id))[0]).toMatchObject({ status: 'delivered', attemptCount: 2 })
  })

  it('is sent though its endpoint was disabled when it was read, and enabled before that was recorded', async () => {
    const { id } = await t.create()
    await publish(t.server)
    const { app } = t.server
    let transactions = 0
    const transact: typeof app.db.transact = async (work) => {
      transactions += 1
      // Between the claim and what the attempt reads, and between that and its record.
      if (transactions === 2) await t.setStatus(id, 'enabled')
      const result = await app.db.transact(work)
      if (transactions === 1) await t.setStatus(id, 'disabled')
      return result
    }
    await createDispatcher({ ...app, db: { ...app.db, transact } }).processAll()
    expect(transactions).toBeGreaterThan(2)
    expect(t.receiver.received).toHaveLength(1)
    expect((await t.log(id))[0]).toMatchObject({ status: 'delivered', attemptCount: 1 })
  })
})
