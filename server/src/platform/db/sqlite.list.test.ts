import path from 'node:path'
import { Worker } from 'node:worker_threads'
import { afterAll, beforeAll, beforeEach, describe, expect, it, vi } from 'vitest'
import { type FreshDatabase, freshDatabase } from '../../../test/support/databases.ts'
import { until } from '../../../test/support/until.ts'
import type { MigratableDb } from './dialect.ts'
import { TransactionMisuse } from './errors.ts'
import { openSqlite } from './sqlite.db.ts'
import { untilListed } from './sqlite.list.test-support.ts'
import { ListThread } from './sqlite.list-thread.ts'
import type { ColumnSpec, Tx } from './types.ts'

const columns: readonly ColumnSpec[] = [
  { name: 'id', type: 'text' },
  { name: 'n', type: 'bigint' },
]
const once = { skipConflictsOn: ['id'], returning: ['id'] }

let fresh: FreshDatabase
let db: MigratableDb
/** What this thread has written. */
const trace: string[] = []
const groups: number[] = []

beforeAll(async () => {
  fresh = await freshDatabase('sqlite')
  db = openSqlite({
    file: fresh.file,
    listThread: true,
    trace: (sql) => trace.push(sql),
    onGroup: (size) => groups.push(size),
  })
  await db.transact(async (tx) => {
    await tx.run('CREATE TABLE items (id text PRIMARY KEY, n bigint)')
    await tx.run('CREATE TABLE heads (n bigint)')
    await tx.run('INSERT INTO heads VALUES (0)')
    await tx.run('CREATE TABLE parents (id text PRIMARY KEY)')
    await tx.run('CREATE TABLE orphans (parent text REFERENCES parents (id) DEFERRABLE INITIALLY DEFERRED)')
    await tx.run(`CREATE TRIGGER not_this BEFORE INSERT ON items WHEN NEW.id = 'wrong'
      BEGIN SELECT RAISE(ABORT, 'not this one'); END`)
  })
  await untilListed(db)
})
beforeEach(async () => {
  await db.transact(async (tx) => {
    await tx.run('DELETE FROM items')
    await tx.run('UPDATE heads SET n = 0')
  })
  trace.length = 0
  groups.length = 0
})
afterAll(async () => {
  await db.close()
  await fresh.drop()
})

const insert = (tx: Tx, ...ids: string[]) =>
  tx.insertMany<{ id: string }>(
    'items',
    columns,
    ids.map((id, n) => [id, n]),
    once,
  )
const ids = async () => (await db.reader.all<{ id: string }>('SELECT id FROM items ORDER BY id')).map(({ id }) => id)
const wroteHere = () => trace.some((sql) => /^(INSERT|UPDATE|DELETE)/.test(sql))
const runs = (work: (tx: Tx, run: number) => Promise<unknown>) => {
  let run = 0
  return db
    .transactListed((tx) => {
      run += 1
      return work(tx, run)
    })
    .then((value) => ({ run, value }))
}

describe('a listed transaction', () => {
  it('is written by another thread, whole and durable when it is answered', async () => {
    const called: string[] = []
    const result = await runs(async (tx) => {
      tx.afterCommit(() => called.push('committed'))
      const { n } = (await tx.get<{ n: number }>('SELECT n FROM heads'))!
      const added = await insert(tx, 'a', 'b')
      const { changes } = await tx.run('UPDATE heads SET n = ? WHERE n = ?', [n + 2, n])
      return [added, changes]
    })
    expect(result).toEqual({ run: 1, value: [[{ id: 'a' }, { id: 'b' }], 1] })
    expect(wroteHere()).toBe(false)
    expect([await ids(), await db.reader.get('SELECT n FROM heads')]).toEqual([['a', 'b'], { n: 2 }])
    expect([called, groups]).toEqual([['committed'], [1]])
  })

  it('takes turns with the others, in the order they were asked for', async () => {
    const seen = (tx: Tx) => tx.all('SELECT id FROM items ORDER BY id')
    const [, first, listed, second] = await Promise.all([
      runs((tx) => insert(tx, 'a')),
      db.transact(async (tx) => [await seen(tx), await insert(tx, 'b')]),
      runs(async (tx) => [await seen(tx), await insert(tx, 'c')]),
      db.transact(seen),
    ])
    expect(first).toEqual([[{ id: 'a' }], [{ id: 'b' }]])
    expect(listed).toEqual({ run: 1, value: [[{ id: 'a' }, { id: 'b' }], [{ id: 'c' }]] })
    expect(second).toEqual(['a', 'b', 'c'].map((id) => ({ id })))
    expect(await ids()).toEqual(['a', 'b', 'c'])
  })

  it.each([
    ['inserts a row that is there', (tx: Tx) => insert(tx, 'new', 'old'), [{ id: 'new' }]],
    [
      'changes no row',
      async (tx: Tx) => [await insert(tx, 'new'), await tx.run("UPDATE heads SET n = 1 WHERE n = 'x'")],
      [[{ id: 'new' }], { changes: 0 }],
    ],
    [
      'reads what it has written',
      async (tx: Tx) => [await insert(tx, 'new'), await tx.get("SELECT n FROM items WHERE id = 'new'")],
      [[{ id: 'new' }], { n: 0 }],
    ],
    [
      'asks what a write has made',
      async (tx: Tx) => [await insert(tx, 'new'), await tx.get('UPDATE heads SET n = n + 5 RETURNING n')],
      [[{ id: 'new' }], { n: 5 }],
    ],
    [
      'makes another error of that',
      async (tx: Tx) => {
        await insert(tx, 'new')
        return tx.get("SELECT n FROM items WHERE id = 'new'").catch(() => Promise.reject(new RangeError('translated')))
      },
      { n: 0 },
    ],
    [
      'does so with a query builder',
      async (tx: Tx) => [
        await tx.run(db.from('items').insert({ id: 'new', n: 3 })),
        await tx.get(db.from('items').select('n').where({ id: 'new' })),
      ],
      [{ changes: 1 }, { n: 3 }],
    ],
  ])('runs again as an ordinary one when it %s', async (_name, work, value) => {
    await db.transact((tx) => insert(tx, 'old'))
    expect(await runs(work)).toEqual({ run: 2, value })
    expect(await ids()).toEqual(['new', 'old'])
    expect([wroteHere(), groups]).toEqual([true, [1, 1]])
  })

  it('runs again when another process has changed what it had read', async () => {
    const other = fresh.open()
    const result = await runs(async (tx, run) => {
      const { n } = (await tx.get<{ n: number }>('SELECT n FROM heads'))!
      if (run === 1) await other.transact((foreign) => foreign.run('UPDATE heads SET n = 10'))
      // As of one moment, whatever is committed meanwhile.
      if (run === 1) expect(await tx.get('SELECT n FROM heads')).toEqual({ n })
      await insert(tx, `after ${n}`)
      await tx.run('UPDATE heads SET n = ? WHERE n = ?', [n + 1, n])
    })
    expect(result.run).toBe(2)
    expect([await ids(), await db.reader.get('SELECT n FROM heads')]).toEqual([['after 10'], { n: 11 }])
  })

  it('leaves nothing behind when its work throws, and nobody waits for it', async () => {
    const wrong = new RangeError('no')
    const failing = runs(async (tx) => {
      await insert(tx, 'a')
      throw wrong
    })
    await expect(failing).rejects.toBe(wrong)
    expect([await ids(), groups]).toEqual([[], []])
    await db.transact((tx) => insert(tx, 'b'))
    expect(await ids()).toEqual(['b'])
  })

  it('is refused with the reason when one of its writes fails again as an ordinary one', async () => {
    await expect(runs((tx) => insert(tx, 'right', 'wrong'))).rejects.toThrow('not this one')
    expect(await ids()).toEqual([])
    expect(await runs((tx) => insert(tx, 'right'))).toMatchObject({ run: 1 })
  })

  it('is refused when its COMMIT fails, and is not tried again', async () => {
    let tried = 0
    const work = db.transactListed(async (tx) => {
      tried += 1
      await insert(tx, 'a')
      await tx.run("INSERT INTO orphans VALUES ('nobody')")
    })
    await expect(work).rejects.toMatchObject({ code: 'SQLITE_CONSTRAINT_FOREIGNKEY' })
    expect([tried, await ids()]).toEqual([1, []])
    expect(await runs((tx) => insert(tx, 'b'))).toMatchObject({ run: 1 })
  })

  it('that awaits something foreign is ended, and refuses statements from then on', async () => {
    const impatient = openSqlite({ file: fresh.file, listThread: true, stallMs: 20 })
    await untilListed(impatient)
    const never = Promise.withResolvers<void>()
    const refused: unknown[] = []
    const stalled = impatient.transactListed(async (tx) => {
      await never.promise
      await insert(tx, 'late').catch((error: unknown) => refused.push(error))
    })
    await expect(stalled).rejects.toThrow(TransactionMisuse)
    await impatient.transact((tx) => insert(tx, 'next'))
    never.resolve()
    await until(() => refused.length === 1)
    await impatient.close()
    expect(await ids()).toEqual(['next'])
  })

  it('is waited for by close', async () => {
    const closing = openSqlite({ file: fresh.file, listThread: true })
    await untilListed(closing)
    let run = 0
    const running = closing.transactListed((tx) => {
      run += 1
      return insert(tx, 'a')
    })
    await closing.close()
    expect([await running, run, await ids()]).toEqual([[{ id: 'a' }], 1, ['a']])
    await expect(closing.transactListed(async () => 1)).rejects.toThrow('closed')
  })
})

describe('a thread that cannot write', () => {
  it('takes no list, and says so once', async () => {
    const warned: string[] = []
    const onWarning = ({ message }: Error) => warned.push(message)
    process.on('warning', onWarning)
    const thread = new ListThread({ file: path.join(fresh.dataDir, 'missing', 'database.sqlite') })
    thread.start()
    await until(() => warned.length > 0)
    thread.start()
    expect(thread.ready).toBe(false)
    expect(await thread.carryOut([])).toMatchObject({ outcome: 'undone' })
    await thread.close()
    process.off('warning', onWarning)
    expect(warned).toEqual([expect.stringContaining('Cannot open database')])
  })
})

describe('a thread that dies with a list', () => {
  it('leaves it refused, as nobody knows what became of it; what comes next is written here', async () => {
    const warned: string[] = []
    const onWarning = ({ message }: Error) => warned.push(message)
    process.on('warning', onWarning)
    const dying = openSqlite({ file: fresh.file, listThread: true })
    await untilListed(dying)
    const posting = vi.spyOn(Worker.prototype, 'postMessage').mockImplementationOnce(function (this: Worker) {
      void this.terminate()
    })
    const called: string[] = []
    const lost = dying.transactListed(async (tx) => {
      tx.afterCommit(() => called.push('committed'))
      return insert(tx, 'lost')
    })
    const waiting = dying.transactListed((tx) => insert(tx, 'next'))
    await expect(lost).rejects.toThrow('the thread that writes has ended')
    expect(await waiting).toEqual([{ id: 'next' }])
    posting.mockRestore()
    expect(await dying.transactListed((tx) => insert(tx, 'later'))).toEqual([{ id: 'later' }])
    await dying.close()
    process.off('warning', onWarning)
    expect([called, await ids()]).toEqual([[], ['later', 'next']])
    expect(warned).toEqual(['the thread that writes has ended'])
  })
})
