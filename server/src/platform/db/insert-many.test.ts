import { randomUUID } from 'node:crypto'
import { beforeAll, expect, it } from 'vitest'
import { describeEachDatabase } from '../../../test/test-support/databases.ts'
import type { MigratableDb } from './dialect.ts'
import { type ColumnSpec, UniqueViolation } from './types.ts'

const columns: readonly ColumnSpec[] = [
  { name: 'id', type: 'text' },
  { name: 'n', type: 'bigint' },
  { name: 'label', type: 'text' },
]
const options = { skipConflictsOn: ['id'], conflictsAreRare: true, returning: ['id', 'n'] }
const numbered = (...ids: string[]) => ids.map((id, n) => [id, n, null])

describeEachDatabase('insertMany where conflicts are rare', (open) => {
  let db: MigratableDb
  beforeAll(async () => {
    db = await open()
    await db.transact((tx) => tx.run('CREATE TABLE items (id text PRIMARY KEY, n bigint, label text UNIQUE)'))
  })

  it('inserts what is new and leaves out what is not, and the transaction goes on', async () => {
    const [a, b, c] = [randomUUID(), randomUUID(), randomUUID()]
    await db.transact(async (tx) => {
      const both = [
        { id: a, n: 0 },
        { id: b, n: 1 },
      ]
      expect(await tx.insertMany('items', columns, numbered(a, b), options)).toEqual(both)
      expect(await tx.insertMany('items', columns, numbered(a, c, b, c), options)).toEqual([{ id: c, n: 1 }])
      expect(await tx.all('SELECT id, n FROM items WHERE id IN (?, ?) ORDER BY n', [a, b])).toEqual(both)
    })
    expect(await db.reader.get('SELECT n FROM items WHERE id = ?', [c])).toEqual({ n: 1 })
  })

  it('fails for a conflict on other columns', async () => {
    const label = randomUUID()
    const rows = [
      [randomUUID(), 1, label],
      [randomUUID(), 2, label],
    ]
    await expect(db.transact((tx) => tx.insertMany('items', columns, rows, options))).rejects.toThrow(UniqueViolation)
    expect(await db.reader.all('SELECT id FROM items WHERE label = ?', [label])).toEqual([])
  })

  it('waits for another transaction that inserts the same, and then leaves it out', async () => {
    const id = randomUUID()
    const inserted = await Promise.all(
      Array.from({ length: 6 }, () => db.transact((tx) => tx.insertMany('items', columns, numbered(id), options))),
    )
    expect(inserted.flat()).toEqual([{ id, n: 0 }])
  })
})

describeEachDatabase('insertMany that changes what is there', (open) => {
  it('inserts new rows and changes the others, by their old and their new values', async () => {
    const db = await open()
    const counts: readonly ColumnSpec[] = [
      { name: 'org', type: 'text' },
      { name: 'kind', type: 'text' },
      { name: 'n', type: 'bigint' },
    ]
    const add = (...rows: [string, string, number][]) =>
      db.transact((tx) =>
        tx.insertMany('counts', counts, rows, {
          upsert: { on: ['org', 'kind'], set: 'n = counts.n + excluded.n' },
          returning: ['kind'],
        }),
      )
    await db.transact((tx) => tx.run('CREATE TABLE counts (org text, kind text, n bigint, PRIMARY KEY (org, kind))'))
    await add(['a', 'x', 1], ['a', 'y', 2])
    expect(await add(['a', 'y', 5], ['b', 'y', 7])).toEqual([{ kind: 'y' }, { kind: 'y' }])
    expect(await db.reader.all('SELECT org, kind, n FROM counts ORDER BY org, kind')).toEqual([
      { org: 'a', kind: 'x', n: 1 },
      { org: 'a', kind: 'y', n: 7 },
      { org: 'b', kind: 'y', n: 7 },
    ])
  })
})
