import { beforeAll, expect, it } from 'vitest'
import { describeEachDatabase } from '../../../test/test-support/databases.ts'
import type { MigratableDb } from './dialect.ts'
import { wholeDatabase } from './open-db.ts'
import type { Filling, WholeDatabase } from './snapshot.types.ts'

const parents = { name: 'parents', columns: ['id'] }
const children = { name: 'children', columns: ['id', 'parent'] }

async function* oneByOne(...fillings: readonly Filling[]): AsyncGenerator<Filling> {
  await Promise.resolve()
  yield* fillings
}

describeEachDatabase('filling a database', (_open, _engine, fresh) => {
  let db: MigratableDb
  let whole: WholeDatabase
  beforeAll(async () => {
    const database = await fresh()
    db = database.open()
    await db.transact(async (tx) => {
      await tx.run('CREATE TABLE parents (id text PRIMARY KEY)')
      await tx.run('CREATE TABLE children (id text PRIMARY KEY, parent text NOT NULL REFERENCES parents (id))')
    })
    whole = wholeDatabase(database)
  })

  it('refuses a row that names one that is not there, and keeps nothing', async () => {
    const lost = oneByOne({ table: parents, rows: [['one']] }, { table: children, rows: [['a', 'another']] })
    await expect(whole.fill(lost)).rejects.toThrow(/children/)
    expect(await whole.filledTables()).toEqual([])
  })

  it('takes a row before the one that it names', async () => {
    await whole.fill(oneByOne({ table: children, rows: [['a', 'one']] }, { table: parents, rows: [['one']] }))
    expect(await db.reader.all('SELECT id, parent FROM children')).toEqual([{ id: 'a', parent: 'one' }])
  })
})
