import { expect, it } from 'vitest'
import { describeEachDatabase, freshDatabase } from '../../test/test-support/databases.ts'
import { migrateUp } from '../platform/db/migrate.ts'
import { migrations } from './index.ts'

const step = '0261-event-categories'
const columns = [
  ...['org_id', 'session_id', 'event_id', 'client_id', 'kind', 'source', 'data'].map((name) => ({
    name,
    type: 'text' as const,
  })),
  ...['position', 'observed_at', 'received_at'].map((name) => ({ name, type: 'bigint' as const })),
]

describeEachDatabase(step, (_open, engine) => {
  /** Milliseconds of the step on a database with so many sessions of so many events each. */
  const timed = async (sessions: number, events: number) => {
    const database = await freshDatabase(engine)
    try {
      const db = database.open()
      await migrateUp(db, migrations, { to: '0260-erased-words' })
      for (let session = 0; session < sessions; session += 1)
        await db.transact((tx) =>
          tx.insertMany(
            'integrity_events',
            columns,
            Array.from({ length: events }, (_, n) => [
              ...['org_1', `ses_${session}`, `evt_${session}_${n}`, `${session}-${n}`],
              ...[n % 3 === 0 ? 'lane.health' : 'window.focus', 'agent', '{}', n + 1, n, n],
            ]),
          ),
        )
      let ms = 0
      await migrateUp(db, migrations, {
        to: step,
        onStep: (told) => {
          ms = told.ms ?? 0
        },
      })
      const places = await db.reader.all<{ bookkeeping: number; n: number; most: number; kinds: number }>(
        `SELECT bookkeeping, count(*) AS n, max(category_position) AS most, count(DISTINCT category_position) AS kinds
         FROM integrity_events WHERE session_id = 'ses_0' GROUP BY bookkeeping ORDER BY bookkeeping`,
      )
      return { ms, places }
    } finally {
      await database.drop()
    }
  }

  it('numbers each category densely, and one long session takes no more than many short ones', {
    timeout: 120_000,
  }, async () => {
    const [short, long] = [await timed(24, 1000), await timed(1, 24_000)]
    expect(long.places).toEqual([
      { bookkeeping: 0, n: 16_000, most: 16_000, kinds: 16_000 },
      { bookkeeping: 1, n: 8000, most: 8000, kinds: 8000 },
    ])
    // A step that looks at a session's events for each of them would need 24 times as long.
    expect(long.ms).toBeLessThan(6 * short.ms + 500)
  })
})
