import { AsyncLocalStorage } from 'node:async_hooks'
import { randomUUID } from 'node:crypto'
import { beforeAll, describe, expect, it } from 'vitest'
import { describeEachDatabase } from '../../../test/test-support/databases.ts'
import type { MigratableDb } from './dialect.ts'
import { CommitFailed, TransactionMisuse } from './errors.ts'
import type { Migration } from './migrate.ts'
import { type ColumnSpec, type Param, type Tx, UniqueViolation } from './types.ts'
import { undoOnRollback } from './undo-on-rollback.ts'

const items: Migration = {
  name: '0010-items',
  up: async (m) => {
    await m.sql(
      'CREATE TABLE items (id text NOT NULL PRIMARY KEY, n bigint, label text, ratio double precision, UNIQUE (label))',
    )
    await m.sql({
      sqlite: 'CREATE TABLE blobs (id text PRIMARY KEY, body blob)',
      postgres: 'CREATE TABLE blobs (id text PRIMARY KEY, body bytea)',
    })
    // Held to the other table by COMMIT, not by the statement.
    await m.sql('CREATE TABLE parts (item text NOT NULL REFERENCES items (id) DEFERRABLE INITIALLY DEFERRED)')
  },
  down: async (m) => {
    await m.schema((s) => s.dropTable('parts').dropTable('items').dropTable('blobs'))
  },
}

const columns: readonly ColumnSpec[] = [
  { name: 'id', type: 'text' },
  { name: 'n', type: 'bigint' },
  { name: 'label', type: 'text' },
  { name: 'ratio', type: 'double precision' },
]

const insert = (tx: Tx, id: string, n: number | null = null, label: string | null = null) =>
  tx.run('INSERT INTO items (id, n, label) VALUES (?, ?, ?)', [id, n, label])

describeEachDatabase('transactions', (open) => {
  let db: MigratableDb
  const count = async (id: string) =>
    (await db.reader.get<{ n: number }>('SELECT count(*) AS n FROM items WHERE id = ?', [id]))?.n

  beforeAll(async () => {
    db = await open([items])
  })

  it('commits what the work wrote and returns what it returned', async () => {
    const id = randomUUID()
    expect(await db.transact(async (tx) => (await insert(tx, id)).changes)).toBe(1)
    expect(await count(id)).toBe(1)
  })

  it('rolls back everything when the work throws, and throws the same error', async () => {
    const id = randomUUID()
    const wrong = new Error('no')
    const work = db.transact(async (tx) => {
      await insert(tx, id)
      throw wrong
    })
    await expect(work).rejects.toBe(wrong)
    expect(await count(id)).toBe(0)
  })

  it('rolls back when a work throws before its first await', async () => {
    const wrong = new Error('at once')
    const work = (): Promise<void> => {
      throw wrong
    }
    await expect(db.transact(work)).rejects.toBe(wrong)
    await db.transact((tx) => insert(tx, randomUUID()))
  })

  it('tells a COMMIT that failed from a work that was rolled back', async () => {
    const run = (work: (tx: Tx) => Promise<unknown>) => {
      const undone: string[] = []
      const undo = async () => void undone.push('undone')
      return undoOnRollback(() => db.transact(work), undo).then(
        () => ({ undone, error: undefined }),
        (error: unknown) => ({ undone, error }),
      )
    }
    const wrong = new Error('no')
    expect(await run((tx) => insert(tx, randomUUID()))).toEqual({ undone: [], error: undefined })
    expect(await run(() => Promise.reject(wrong))).toEqual({ undone: ['undone'], error: wrong })
    const failed = await run((tx) => tx.run('INSERT INTO parts (item) VALUES (?)', [randomUUID()]))
    expect(failed).toEqual({ undone: [], error: expect.any(CommitFailed) })
    expect((failed.error as CommitFailed).cause).toBeInstanceOf(Error)
    const id = randomUUID()
    await db.transact((tx) => insert(tx, id))
    expect(await count(id)).toBe(1)
  })

  it('leaves the neighbours of a failing transaction alone', async () => {
    const ids = Array.from({ length: 20 }, () => randomUUID())
    const results = await Promise.allSettled(
      ids.map((id, index) =>
        db.transact(async (tx) => {
          await insert(tx, id)
          if (index % 5 === 2) throw new Error(`refused ${index}`)
          return index
        }),
      ),
    )
    for (const [index, result] of results.entries()) {
      const refused = index % 5 === 2
      expect(result.status).toBe(refused ? 'rejected' : 'fulfilled')
      expect(await count(ids[index]!)).toBe(refused ? 0 : 1)
    }
  })

  it('shows a transaction its own rows and the reader only committed ones', async () => {
    const id = randomUUID()
    await db.transact(async (tx) => {
      await insert(tx, id, 7)
      expect(await tx.get('SELECT n FROM items WHERE id = ?', [id])).toEqual({ n: 7 })
      expect(await count(id)).toBe(0)
    })
    expect(await count(id)).toBe(1)
  })

  it('refuses a transaction inside a transaction', async () => {
    const nested = db.transact(async () => db.transact(async () => 1))
    await expect(nested).rejects.toThrow(TransactionMisuse)
  })

  it('refuses a Tx after the end of its transaction', async () => {
    let kept: Tx | undefined
    await db.transact(async (tx) => {
      kept = tx
    })
    await expect(kept?.get('SELECT 1 AS one')).rejects.toThrow(TransactionMisuse)
    await expect(insert(kept!, randomUUID())).rejects.toThrow('has ended')
    expect(() => kept?.afterCommit(() => undefined)).toThrow(TransactionMisuse)
  })

  it('knows whether the calling context is inside a transaction', async () => {
    expect(db.inTransaction()).toBe(false)
    let later: Promise<boolean> | undefined
    let proceed = () => {}
    const gate = new Promise<void>((resolve) => {
      proceed = resolve
    })
    await db.transact(async (tx) => {
      await tx.get('SELECT 1 AS one')
      expect(db.inTransaction()).toBe(true)
      later = gate.then(() => db.inTransaction())
    })
    expect(db.inTransaction()).toBe(false)
    proceed()
    expect(await later).toBe(false)
  })

  it('runs each work in the async context of its own caller', async () => {
    const request = new AsyncLocalStorage<number>()
    const seen = await Promise.all(
      [1, 2, 3].map((n) => request.run(n, () => db.transact(async () => request.getStore()))),
    )
    expect(seen).toEqual([1, 2, 3])
  })

  it('calls afterCommit once after a commit and never after a rollback', async () => {
    const calls: string[] = []
    const id = randomUUID()
    await db.transact(async (tx) => {
      await insert(tx, id)
      tx.afterCommit(() => calls.push(`open: ${db.inTransaction()}`))
    })
    const failing = db.transact(async (tx) => {
      tx.afterCommit(() => calls.push('never'))
      throw new Error('no')
    })
    await expect(failing).rejects.toThrow('no')
    expect(calls).toEqual(['open: false'])
  })

  it('answers a broken unique constraint with UniqueViolation', async () => {
    const label = randomUUID()
    await db.transact((tx) => insert(tx, randomUUID(), 1, label))
    const again = db.transact((tx) => insert(tx, randomUUID(), 2, label))
    await expect(again).rejects.toThrow(UniqueViolation)
    await expect(again).rejects.toMatchObject({ constraint: expect.stringContaining('label') })
    const id = randomUUID()
    await db.transact((tx) => insert(tx, id))
    await expect(db.transact((tx) => insert(tx, id))).rejects.toThrow(UniqueViolation)
  })

  it('fails a transaction whose failed statement was swallowed, with that statement’s error', async () => {
    const [id, other] = [randomUUID(), randomUUID()]
    await db.transact((tx) => insert(tx, id))
    const swallowed = db.transact(async (tx) => {
      await insert(tx, other)
      await insert(tx, id).catch(() => undefined)
      await expect(tx.get('SELECT 1 AS one')).rejects.toThrow(TransactionMisuse)
      return 'fine'
    })
    await expect(swallowed).rejects.toThrow(UniqueViolation)
    expect(await count(other)).toBe(0)
  })

  it('lets the work translate a statement’s error', async () => {
    const id = randomUUID()
    await db.transact((tx) => insert(tx, id))
    const translated = db.transact(async (tx) => {
      try {
        await insert(tx, id)
      } catch (error) {
        throw new RangeError('taken', { cause: error })
      }
    })
    await expect(translated).rejects.toThrow(RangeError)
  })

  it('keeps the order of statements that are asked for at once', async () => {
    const id = randomUUID()
    await db.transact(async (tx) => {
      const sum = 'UPDATE items SET n = n * 2 + ? WHERE id = ?'
      await Promise.all([insert(tx, id, 0), tx.run(sum, [1, id]), tx.run(sum, [5, id])])
    })
    expect(await db.reader.get('SELECT n FROM items WHERE id = ?', [id])).toEqual({ n: 7 })
  })

  it('waits for running transactions before it closes, and refuses later ones', async () => {
    const other = await open()
    const id = randomUUID()
    const running = other.transact((tx) => insert(tx, id))
    await other.close()
    await running
    expect(await count(id)).toBe(1)
    await expect(other.transact(async () => 1)).rejects.toThrow('closed')
    await expect(other.ping()).rejects.toThrow()
    await db.ping()
  })

  it('wakes listeners once for a burst, and no more after they left', async () => {
    const woken = Promise.withResolvers<void>()
    let calls = 0
    const stop = db.listen('things', () => {
      calls += 1
      woken.resolve()
    })
    db.notify('things')
    db.notify('things')
    await woken.promise
    stop()
    const after = calls
    const other = Promise.withResolvers<void>()
    const stopOther = db.listen('other', other.resolve)
    db.notify('things')
    db.notify('other')
    await other.promise
    stopOther()
    expect(calls).toBe(after)
  })
})

describeEachDatabase('statements', (open, engine) => {
  let db: MigratableDb
  beforeAll(async () => {
    db = await open([items])
  })

  it('gives integers, counts, sums, averages and conditions as numbers', async () => {
    const sql = `SELECT count(*) AS c, sum(n) AS s, avg(n) AS a, max(n) AS m, sum(n) > 1 AS many
      FROM (SELECT CAST(? AS bigint) AS n UNION ALL SELECT CAST(? AS bigint)) AS t`
    const big = 1_763_640_000_000
    expect(await db.reader.get(sql, [big, big])).toEqual({ c: 2, s: 2 * big, a: big, m: big, many: 1 })
  })

  it('stores bytes and gives them back as a Buffer', async () => {
    const body = new Uint8Array([0, 1, 255])
    await db.transact((tx) => tx.run('INSERT INTO blobs (id, body) VALUES (?, ?)', ['x', body]))
    expect(await db.reader.get('SELECT body FROM blobs WHERE id = ?', ['x'])).toEqual({ body: Buffer.from(body) })
  })

  it.each([
    ['undefined', undefined],
    ['a Date', new Date(0)],
    ['a boolean', true],
    ['NaN', Number.NaN],
    ['an object', {}],
  ])('refuses %s as a parameter', async (_name, value) => {
    const params = [value] as unknown as Param[]
    await expect(db.reader.get('SELECT id FROM items WHERE id = ?', params)).rejects.toThrow(TypeError)
    await expect(db.transact((tx) => tx.get('SELECT id FROM items WHERE id = ?', params))).rejects.toThrow(TypeError)
  })

  it('refuses to write through the reader', async () => {
    await expect(db.reader.all('DELETE FROM items')).rejects.toThrow(/read-?only/i)
  })

  it('counts the rows a RETURNING write touched, and finishes it', async () => {
    const tag = randomUUID()
    await db.transact(async (tx) => {
      for (const n of [1, 2, 3]) await insert(tx, `${tag}-${n}`, n)
      const sql = 'UPDATE items SET n = n + 10 WHERE id LIKE ? RETURNING n'
      expect(await tx.run(sql, [`${tag}-%`])).toEqual({ changes: 3 })
      expect(await tx.all('UPDATE items SET n = 0 WHERE id = ?', [tag])).toEqual([])
    })
    const rows = await db.reader.all('SELECT n FROM items WHERE id LIKE ? ORDER BY n', [`${tag}-%`])
    expect(rows).toEqual([{ n: 11 }, { n: 12 }, { n: 13 }])
  })

  it('gives the lock clause only where there are row locks', async () => {
    const clauses = await db.transact(async (tx) => {
      await tx.all(`SELECT id FROM items WHERE n = ?${tx.forUpdateSkipLocked}`, [1])
      return [tx.forUpdate, tx.forUpdateSkipLocked]
    })
    expect(clauses).toEqual(engine === 'sqlite' ? ['', ''] : [' FOR UPDATE', ' FOR UPDATE SKIP LOCKED'])
  })

  describe('insertMany', () => {
    it('inserts 2,000 rows in order and returns what was asked for in the same order', async () => {
      const tag = randomUUID()
      // Descending ids, so that neither index order nor sorting could give the same answer.
      const rows = Array.from({ length: 2_000 }, (_, n) => [`${tag}-${9_999 - n}`, n, null, n / 7])
      const returned = await db.transact((tx) =>
        tx.insertMany<{ id: string; n: number; ratio: number }>('items', columns, rows, {
          returning: ['id', 'n', 'ratio'],
        }),
      )
      expect(returned).toEqual(rows.map(([id, n, , ratio]) => ({ id, n, ratio })))
    })

    it('keeps text exactly, null as null, and integers beyond 2^53', async () => {
      const id = randomUUID()
      const text = `{"a":[1,null]} 'x' "y" \\ \n \t ü 🙂 NULL , {} ${id}`
      await db.transact((tx) => tx.insertMany('items', columns, [[id, 2n ** 53n, text, null]]))
      expect(await db.reader.get('SELECT n, label, ratio FROM items WHERE id = ?', [id])).toEqual({
        n: 2 ** 53,
        label: text,
        ratio: null,
      })
    })

    it('writes a number into a text column as its digits', async () => {
      const id = randomUUID()
      const row = [id, 1, 5, 0.1]
      await db.transact((tx) => tx.insertMany('items', columns, [row], { skipConflictsOn: ['label'] }))
      expect(await db.reader.get('SELECT label FROM items WHERE id = ?', [id])).toEqual({ label: '5' })
    })

    it('skips conflicting rows, also among themselves, and returns only the inserted', async () => {
      const [a, b] = [randomUUID(), randomUUID()]
      await db.transact((tx) => insert(tx, a, 1))
      const rows = [
        [a, 2, null, null],
        [b, 3, null, null],
        [b, 4, null, null],
      ]
      const options = { skipConflictsOn: ['id'], returning: ['id', 'n'] }
      expect(await db.transact((tx) => tx.insertMany('items', columns, rows, options))).toEqual([{ id: b, n: 3 }])
      await expect(db.transact((tx) => tx.insertMany('items', columns, rows))).rejects.toThrow(UniqueViolation)
    })

    it('does nothing for no rows', async () => {
      expect(await db.transact((tx) => tx.insertMany('items', columns, [], { returning: ['id'] }))).toEqual([])
    })

    it.each([
      ['bytes', new Uint8Array(1)],
      ['undefined', undefined],
      ['Infinity', Number.POSITIVE_INFINITY],
    ])('refuses %s in a row', async (_name, value) => {
      const rows = [[randomUUID(), value as unknown as Param, null, null]]
      await expect(db.transact((tx) => tx.insertMany('items', columns, rows))).rejects.toThrow(TypeError)
    })

    it('refuses a name that is not one', async () => {
      const rows = [[randomUUID(), 1, null, null]]
      const work = db.transact((tx) => tx.insertMany('items; drop table items', columns, rows))
      await expect(work).rejects.toThrow(TypeError)
    })
  })
})
