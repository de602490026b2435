import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import {
  type Given,
  givePlanUntil,
  noteLapsedOfAllOrgs,
  plansBetween,
  spansNow,
} from '../../../src/domains/organisation/plans/plans.service.ts'
import type { Reader } from '../../../src/platform/db/types.ts'
import { everyEngine } from '../../test-support/engines.ts'
import { startServer, type TestServer } from '../../test-support/server.ts'

const day = 86_400_000

for (const engine of everyEngine())
  describe(`from when until when a plan counts (${engine})`, () => {
    let server: TestServer
    beforeAll(async () => {
      server = await startServer({ engine })
    })
    beforeEach(() => server.app.db.transact((tx) => tx.run('DELETE FROM plan_spans')))
    afterAll(() => server.stop())

    const orgId = () => server.orgs[0].orgId
    const give = (given: Partial<Given>) =>
      server.app.db.transact((tx) =>
        givePlanUntil(
          { tx, clock: server.clock },
          {
            orgId: orgId(),
            provider: 'stripe',
            subscriptionId: 'sub_1',
            customerId: 'cus_1',
            plan: 'team',
            seats: 1,
            since: server.clock.now(),
            untilAt: null,
            ...given,
          },
        ),
      )
    const between = async (from: number, to: number) =>
      (await plansBetween({ reader: server.app.db.reader }, { orgId: orgId(), from, to })).map(
        ({ span }) => span && [span.plan, span.seats],
      )
    const now = async () =>
      (await spansNow({ clock: server.clock, reader: server.app.db.reader }, orgId())).map(({ plan }) => plan)

    it('is since it runs, where nobody had told of it before, and never since later than now', async () => {
      const at = server.clock.now()
      await give({ since: at - 3 * day })
      expect(await between(at - 2 * day, at + day)).toEqual([['team', 1]])
      await give({ subscriptionId: 'sub_2', plan: 'business', since: at + 3 * day })
      expect(await now()).toEqual(['team', 'business'])
    })

    it('is with the seats of then: what changes changes nothing that was', async () => {
      const at = server.clock.now()
      await give({ seats: 3 })
      server.clock.advance(day)
      await give({ seats: 5 })
      server.clock.advance(day)
      await give({ seats: 5, untilAt: server.clock.now() + day })
      expect(await between(at, at + 2 * day)).toEqual([
        ['team', 3],
        ['team', 5],
      ])
      expect(await now()).toEqual(['team'])
      server.clock.advance(day)
      expect(await now()).toEqual([])
    })

    it('ends at once where nothing is given any more', async () => {
      await give({})
      server.clock.advance(day)
      await give({ plan: undefined })
      expect(await now()).toEqual([])
      expect(await between(server.clock.now() - day, server.clock.now())).toEqual([['team', 1]])
    })

    it('ends by itself once, though two processes found it at the same moment', async () => {
      const { app, clock } = server
      await give({ untilAt: clock.now() + day })
      clock.advance(day)
      const told: string[] = []
      const note = async (_tx: unknown, span: { readonly orgId: string }) => {
        told.push(span.orgId)
      }
      let isFirst = true
      const reader: Reader = {
        ...app.db.reader,
        async all<Row>(...asked: Parameters<Reader['all']>) {
          const found = await app.db.reader.all<Row>(...asked)
          // The other process is through before this one has begun.
          if (isFirst) {
            isFirst = false
            await noteLapsedOfAllOrgs({ ...app, reader: app.db.reader }, note)
          }
          return found
        },
      }
      await noteLapsedOfAllOrgs({ ...app, reader }, note)
      expect(told).toEqual([orgId()])
    })
  })
