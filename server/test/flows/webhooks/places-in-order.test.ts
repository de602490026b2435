import { describe, expect, it } from 'vitest'
import { lockEndpoints } from '../../../src/domains/integrations/webhooks/failures.store.ts'
import { takePlaces } from '../../../src/domains/integrations/webhooks/subscribers.store.ts'
import { hasEngine } from '../../test-support/engines.ts'
import { startServer } from '../../test-support/server.ts'

describe.runIf(hasEngine('postgres'))('places in the logs of endpoints (postgres)', () => {
  it('are taken in the order in which whoever records holds the endpoints, whatever the plan', async () => {
    const server = await startServer({ engine: 'postgres' })
    try {
      const { orgId, sandboxKey } = server.orgs[0]
      const scope = { orgId, environment: 'sandbox' } as const
      const { db } = server.app
      const ids: string[] = []
      for (const name of ['a', 'b']) {
        const body = { url: `https://${name}.example.org/`, eventTypes: ['*' as const] }
        ids.push((await server.client(sandboxKey).call('webhooks.create', { body })).data.id)
      }
      const [first = '', second = ''] = ids.toSorted()
      // Rows are in the order in which they were written last: a plan that reads them so meets the second one first.
      await db.transact((tx) =>
        tx.run('UPDATE webhook_endpoints SET delivery_count = 0 WHERE org_id = ? AND endpoint_id = ?', [orgId, first]),
      )
      const waiting = () =>
        db.reader.get<{ n: number }>(
          `SELECT count(*) AS n FROM pg_stat_activity WHERE datname = current_database() AND wait_event_type = 'Lock'`,
        )
      const runs = { recording: 0, publishing: 0 }
      const isHeld = Promise.withResolvers<void>()
      const mayGoOn = Promise.withResolvers<void>()
      const recording = db.transact(async (tx) => {
        runs.recording += 1
        await lockEndpoints(tx, scope, [first])
        isHeld.resolve()
        await mayGoOn.promise
        await lockEndpoints(tx, scope, [second])
      })
      await isHeld.promise
      const publishing = db.transact(async (tx) => {
        runs.publishing += 1
        await tx.get("SELECT set_config('enable_indexscan', 'off', true), set_config('enable_bitmapscan', 'off', true)")
        return takePlaces(tx, scope, ids)
      })
      await expect.poll(waiting, { timeout: 20_000 }).toEqual({ n: 1 })
      mayGoOn.resolve()
      await recording
      expect((await publishing).map(({ endpointId }) => endpointId).toSorted()).toEqual([first, second])
      // A circle would have been broken by the database, and one of them begun again.
      expect(runs).toEqual({ recording: 1, publishing: 1 })
    } finally {
      await server.stop()
    }
  })
})
