import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { DatabaseBusy } from '../errors.ts'
import type { Reader } from '../types.ts'
import { openSqlite } from './sqlite.db.ts'
import { SqliteReaders } from './sqlite.readers.ts'

/** Counts as far as it is told, in one statement. */
const counting =
  'WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < ?) SELECT max(i) AS top FROM n'
const long = 3_000_000

describe('reads in threads of their own', () => {
  let folder: string
  let db: ReturnType<typeof openSqlite>
  beforeEach(async () => {
    folder = await mkdtemp(join(tmpdir(), 'readers-'))
    db = openSqlite({ file: join(folder, 'database.sqlite'), readers: { threads: 1 } })
    await db.transact(async (tx) => {
      await tx.run('CREATE TABLE t (a text PRIMARY KEY, b bigint)')
      await tx.run("INSERT INTO t VALUES ('x', 1)")
    })
  })
  afterEach(async () => {
    await db.close()
    await rm(folder, { recursive: true })
  })
  const readerOf = (owner: string): Reader => db.longReader(owner, () => undefined)

  it('see what was committed before them, and refuse to write', async () => {
    const reader = readerOf('a')
    expect(await reader.get('SELECT b FROM t WHERE a = ?', ['x'])).toEqual({ b: 1 })
    await db.transact((tx) => tx.run("UPDATE t SET b = 2 WHERE a = 'x'"))
    expect(await reader.all('SELECT a, b FROM t')).toEqual([{ a: 'x', b: 2 }])
    expect(await reader.get('SELECT b FROM t WHERE a = ?', ['y'])).toBe(undefined)
    await expect(reader.all("INSERT INTO t VALUES ('y', 1)")).rejects.toMatchObject({ code: 'SQLITE_READONLY' })
    await expect(reader.all('SELECT no_such_column')).rejects.toThrow('no such column')
    await expect(reader.all('SELECT ?', [Number.NaN])).rejects.toThrow(TypeError)
  })

  it('leave the thread that everything else runs on alone', async () => {
    let turns = 0
    const ticking = setInterval(() => (turns += 1), 0)
    const { top } = (await readerOf('a').get<{ top: number }>(counting, [long])) ?? {}
    clearInterval(ticking)
    expect(top).toBe(long)
    expect(turns).toBeGreaterThan(5)
  })

  it('take turns by owner, however many one of them has waiting', async () => {
    const order: string[] = []
    const reads = ['a', 'a', 'a', 'b', 'c'].map((owner) =>
      readerOf(owner)
        .get(counting, [1000])
        .then(() => order.push(owner)),
    )
    await Promise.all(reads)
    expect(order).toEqual(['a', 'a', 'b', 'c', 'a'])
  })

  it('tell what they took, also when they fail', async () => {
    const spent: number[] = []
    const reader = db.longReader('a', (ms) => spent.push(ms))
    await reader.get(counting, [100_000])
    await reader.all('SELECT no_such_column').catch(() => undefined)
    expect(spent).toHaveLength(2)
    expect(spent[0]).toBeGreaterThan(0)
  })

  it('are refused when their time is over, and waiting ones are forgotten', async () => {
    const readers = new SqliteReaders(join(folder, 'database.sqlite'), { threads: 1, deadlineMs: 1 })
    const reads = [1, 2, 3].map(() => readers.read('a', { sql: counting, params: [long] }, () => undefined))
    for (const result of await Promise.allSettled(reads))
      expect((result as PromiseRejectedResult).reason).toBeInstanceOf(DatabaseBusy)
    await readers.close()
  })

  it('are refused when their thread dies, and the next one has a new thread', async () => {
    const readers = new SqliteReaders(join(folder, 'nowhere', 'database.sqlite'), { threads: 1 })
    const read = () => readers.read('a', { sql: 'SELECT 1 AS one', params: [] }, () => undefined)
    await expect(read()).rejects.toThrow('a reader thread has ended')
    await expect(read()).rejects.toThrow('a reader thread has ended')
    await readers.close()
  })

  it('end with the database: what waits is refused, nothing begins', async () => {
    const underWay = readerOf('a').get(counting, [100_000])
    const waiting = expect(readerOf('a').get('SELECT 1')).rejects.toThrow('the database is closed')
    await db.close()
    expect(await underWay).toEqual({ top: 100_000 })
    await waiting
    await expect(readerOf('a').get('SELECT 1')).rejects.toThrow('the database is closed')
  })
})
