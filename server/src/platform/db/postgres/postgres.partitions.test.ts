import { beforeAll, beforeEach, expect, it } from 'vitest'
import { describeDatabase } from '../../../../test/test-support/databases.ts'
import { migrations } from '../../../migrations/index.ts'
import type { MigratableDb } from '../dialect.ts'
import { migrateDown, migrateUp } from '../migrate.ts'
import { monthAt } from './postgres.partitions.ts'

describeDatabase('postgres', 'tables that lie in parts by month', (open) => {
  let db: MigratableDb
  const before = '0642-open-connections'
  const put = (seq: number, at: number) =>
    db.transact((tx) =>
      tx.run(
        `INSERT INTO events (org_id, environment, seq, event_id, type, created_at, envelope)
         VALUES ('org_1', 'live', ?, ?, 'webhook.test', ?, '{}')`,
        [seq, `evt_${seq}`, at],
      ),
    )
  const placeOf = async (seq: number): Promise<string | undefined> =>
    (await db.reader.get<{ name: string }>('SELECT tableoid::regclass::text AS name FROM events WHERE seq = ?', [seq]))
      ?.name
  const parts = async (): Promise<string[]> => {
    const rows = await db.reader.all<{ name: string }>(
      `SELECT inhrelid::regclass::text AS name FROM pg_inherits WHERE inhparent = 'events'::regclass`,
    )
    return rows.map(({ name }) => name).toSorted()
  }
  const nameOf = (time: number) => `events_${new Date(time).toISOString().slice(0, 7).replace('-', '_')}`
  const now = Date.now()

  beforeAll(async () => {
    db = await open(migrations)
  })
  beforeEach(async () => {
    await migrateDown(db, migrations, before)
    await db.transact((tx) => tx.run('DELETE FROM events'))
  })

  it('keep what was there, in the first part, and read it in the same order', async () => {
    for (const seq of [2, 1, 3]) await put(seq, now - seq)
    await migrateUp(db, migrations)
    expect(await placeOf(1)).toBe('events_first')
    await put(4, now)
    expect(await db.reader.all('SELECT seq FROM events ORDER BY seq')).toEqual([1, 2, 3, 4].map((seq) => ({ seq })))
    await migrateDown(db, migrations, before)
    expect(await db.reader.all('SELECT seq FROM events ORDER BY seq')).toEqual([1, 2, 3, 4].map((seq) => ({ seq })))
  })

  it('take rows from a clock that was ahead, before and after they were divided', async () => {
    await put(1, monthAt(now, 9))
    await migrateUp(db, migrations)
    expect(await placeOf(1)).toBe('events_first')
    await put(2, monthAt(now, 30))
    expect(await placeOf(2)).toBe('events_late')
    await migrateDown(db, migrations, before)
    expect(await db.reader.get('SELECT count(*) AS n FROM events')).toEqual({ n: 2 })
  })

  it('have parts of the months to come, and what came before its part moves in', async () => {
    await migrateUp(db, migrations)
    await put(1, monthAt(now, 2) + 5)
    expect(await placeOf(1)).toBe('events_late')
    await db.dialect.tendPartitions(db, now)
    expect(await parts()).toEqual(['events_first', 'events_late', nameOf(monthAt(now, 2))].toSorted())
    expect(await placeOf(1)).toBe(nameOf(monthAt(now, 2)))
    await db.dialect.tendPartitions(db, monthAt(now, 1))
    await db.dialect.tendPartitions(db, monthAt(now, 1))
    expect(await parts()).toContain(nameOf(monthAt(now, 3)))
    await put(2, monthAt(now, 3))
    expect(await placeOf(2)).toBe(nameOf(monthAt(now, 3)))
    const second = db.transact((tx) => tx.run("INSERT INTO events SELECT * FROM events WHERE event_id = 'evt_2'"))
    await expect(second).rejects.toThrow()
  })

  it('lose a part when its month is over and nothing is in it', async () => {
    await migrateUp(db, migrations)
    await db.dialect.tendPartitions(db, now)
    await put(1, now)
    const later = monthAt(now, 4)
    await db.dialect.tendPartitions(db, later)
    expect(await parts()).toContain('events_first')
    expect(await parts()).not.toContain(nameOf(monthAt(now, 2)))
    await db.transact((tx) => tx.run('DELETE FROM events'))
    await db.dialect.tendPartitions(db, later)
    expect(await parts()).not.toContain('events_first')
    await put(2, later)
    expect(await placeOf(2)).toBe(nameOf(later))
  })
})
