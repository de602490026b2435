import { describe, expect, it } from 'vitest'
import { describeDatabase } from '../../../../test/test-support/databases.ts'
import { migrations } from '../../../migrations/index.ts'
import type { Reader } from '../../../platform/db/types.ts'
import { type EventFilters, matchingAfter, pageOfMatching } from './events.store.ts'

const scope = { orgId: 'org_1', environment: 'live' } as const

/** A reader that explains what it is asked instead of answering it. */
const explaining = (reader: Reader, plans: string[]): Reader => {
  const explain: Reader['all'] = async (sql, params) => {
    if (typeof sql !== 'string') throw new TypeError('only text can be explained here')
    const rows = await reader.all<{ detail: string }>(`EXPLAIN QUERY PLAN ${sql}`, params)
    plans.push(rows.map((row) => row.detail).join('; '))
    return []
  }
  return { all: explain, get: async (sql, params) => (await explain(sql, params))[0] as never }
}

describeDatabase('sqlite', 'the plans of filtered event reads', (open) => {
  const plansOf = async (filters: EventFilters): Promise<string[]> => {
    const db = await open(migrations)
    const plans: string[] = []
    const reader = explaining(db.reader, plans)
    await pageOfMatching(reader, scope, filters, { after: [9], skip: 5, take: 5 })
    await matchingAfter(reader, scope, filters, 5, 5)
    return plans
  }
  const rangeOfAll = /PRIMARY KEY \(org_id=\? AND environment=\? AND seq[<>]/

  describe('by session', () => {
    it('walk the index of the session, with types as well', async () => {
      const types = ['a', 'b']
      for (const [filters, index] of [
        [{ sessionId: 'ses_1' }, 'events_session (org_id=? AND environment=? AND session_id=? AND seq'],
        [
          { sessionId: 'ses_1', types },
          'events_session_type (org_id=? AND environment=? AND session_id=? AND type=? AND seq',
        ],
      ] as const)
        for (const plan of await plansOf(filters)) {
          expect(plan).toContain(index)
          expect(plan).not.toMatch(rangeOfAll)
        }
    })
  })

  describe('by types', () => {
    it('walk the index of each type', async () => {
      for (const plan of await plansOf({ types: ['a', 'b'] })) {
        expect(plan).toContain('events_type (org_id=? AND environment=? AND type=? AND seq')
        expect(plan).not.toMatch(rangeOfAll)
      }
    })
  })
})
