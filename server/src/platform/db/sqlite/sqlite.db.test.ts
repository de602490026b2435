import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdirSync, readFileSync, renameSync, rmdirSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import Database from 'better-sqlite3'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { type FreshDatabase, freshDatabase } from '../../../../test/test-support/databases.ts'
import type { MigratableDb } from '../dialect.ts'
import { CommitFailed, DatabaseBusy, TransactionMisuse } from '../errors.ts'
import type { Tx } from '../types.ts'
import { openSqlite } from './sqlite.db.ts'

let fresh: FreshDatabase
let db: MigratableDb
let trace: string[]
/** The writer's clock stands still unless a test moves it. */
let time: number

beforeEach(async () => {
  fresh = await freshDatabase('sqlite')
  trace = []
  time = 0
  const onStatement = (sql: string) => trace.push(sql)
  db = openSqlite({ file: fresh.file, busyTimeoutMs: 50, stallMs: 50, now: () => time, trace: onStatement })
  await db.transact(async (tx) => {
    await tx.run('CREATE TABLE items (id text PRIMARY KEY)')
    await tx.run('CREATE TABLE parents (id text PRIMARY KEY)')
    await tx.run(
      'CREATE TABLE children (id text PRIMARY KEY, parent text REFERENCES parents (id) DEFERRABLE INITIALLY DEFERRED)',
    )
  })
  trace.length = 0
})

afterEach(async () => {
  await db.close()
  await fresh.drop()
})

const add = (tx: Tx, id: string) => tx.run('INSERT INTO items (id) VALUES (?)', [id])
const ids = async () => (await db.reader.all<{ id: string }>('SELECT id FROM items ORDER BY id')).map((row) => row.id)
const ran = (sql: string) => trace.filter((text) => text.startsWith(sql)).length

const childFile = fileURLToPath(new URL('./sqlite-writer-child.test-support.ts', import.meta.url))
const startWriter = (prefix: string, rounds: number, width: number) => {
  const child = spawn(process.execPath, [childFile, fresh.file, prefix, String(rounds), String(width)], {
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  let output = ''
  child.stdout.setEncoding('utf8').on('data', (text: string) => {
    output += text
  })
  const acknowledged = () => output.split('\n').slice(0, -1)
  return { child, acknowledged, closed: once(child, 'close') }
}

describe('the connection', () => {
  it('writes ahead and waits for the disk at every commit', async () => {
    const pragmas = await db.transact(async (tx) => [
      await tx.get('PRAGMA journal_mode'),
      await tx.get('PRAGMA synchronous'),
      await tx.get('PRAGMA foreign_keys'),
      await tx.get('PRAGMA recursive_triggers'),
      await tx.get('PRAGMA wal_autocheckpoint'),
      await tx.get('PRAGMA cache_size'),
    ])
    expect(pragmas).toEqual([
      { journal_mode: 'wal' },
      { synchronous: 2 },
      { foreign_keys: 1 },
      { recursive_triggers: 1 },
      { wal_autocheckpoint: 131_072 },
      { cache_size: -32_768 },
    ])
    const defaults = fresh.open()
    expect(await defaults.transact((tx) => tx.get('PRAGMA busy_timeout'))).toEqual({ timeout: 5_000 })
  })

  it('leaves nothing of a row that was deleted in the file', async () => {
    const canary = 'only in the row that goes'
    await db.transact((tx) => add(tx, canary))
    await db.transact((tx) => tx.run('DELETE FROM items WHERE id = ?', [canary]))
    await db.close()
    expect(readFileSync(fresh.file).includes(canary)).toBe(false)
    db = fresh.open()
  })

  it('copies its log within its commits again where the thread that does it cannot', async () => {
    const warned: Error[] = []
    const onWarning = (warning: Error) => warned.push(warning)
    process.on('warning', onWarning)
    const aside = `${fresh.file}.aside`
    renameSync(fresh.file, aside)
    // The log alone, which stays where it is, would do for a file.
    mkdirSync(fresh.file)
    await expect(db.scrub([])).rejects.toThrow('could not be emptied')
    rmdirSync(fresh.file)
    renameSync(aside, fresh.file)
    const every = await db.transact((tx) => tx.get('PRAGMA wal_autocheckpoint'))
    process.off('warning', onWarning)
    expect(every).toEqual({ wal_autocheckpoint: 8000 })
    expect(warned.map(({ message }) => message)).toEqual(['unable to open database file'])
  })
})

describe('group commit', () => {
  it('shares one commit among the transactions of one turn', async () => {
    await Promise.all(Array.from({ length: 100 }, (_, n) => db.transact((tx) => add(tx, `n${n}`))))
    expect(ran('BEGIN IMMEDIATE')).toBe(1)
    expect(ran('COMMIT')).toBe(1)
    expect(ran('SAVEPOINT')).toBe(100)
    expect(await ids()).toHaveLength(100)
  })

  it('puts at most 256 transactions into one commit', async () => {
    await Promise.all(Array.from({ length: 600 }, (_, n) => db.transact((tx) => add(tx, `n${n}`))))
    expect(ran('COMMIT')).toBe(3)
    expect(await ids()).toHaveLength(600)
  })

  it('shares a commit among as many as it is worth waiting for, which it measures', async () => {
    let sizes: number[] = []
    let memberMs = 12
    const measured = openSqlite({
      file: fresh.file,
      now: () => time,
      onGroup: (size) => sizes.push(size),
      trace: (sql) => {
        if (sql.startsWith('INSERT')) time += memberMs
        if (sql === 'COMMIT') time += 5
      },
    })
    const write = async (name: string) => {
      sizes = []
      await Promise.all(Array.from({ length: 60 }, (_, n) => measured.transact((tx) => add(tx, `${name}${n}`))))
      return sizes
    }
    expect(await write('first')).toEqual([60])
    for (let round = 0; round < 10; round += 1) await write(`slow${round}-`)
    // Two works of 12 ms take longer than four commits of 5 ms.
    expect(await write('slow')).toEqual(Array(30).fill(2))
    memberMs = 0.01
    for (let round = 0; round < 10; round += 1) await write(`quick${round}-`)
    expect(await write('quick')).toEqual([60])
    await measured.close()
  })

  it('commits a lone transaction without a savepoint, and rolls it back as a whole', async () => {
    await db.transact((tx) => add(tx, 'a'))
    const failing = db.transact(async (tx) => {
      await add(tx, 'b')
      throw new Error('no')
    })
    await expect(failing).rejects.toThrow('no')
    expect([ran('SAVEPOINT'), ran('COMMIT'), ran('ROLLBACK')]).toEqual([0, 1, 1])
    expect(await ids()).toEqual(['a'])
  })

  it('answers nobody before the commit', async () => {
    const answered = Array.from({ length: 3 }, (_, n) =>
      db.transact((tx) => add(tx, `n${n}`)).then(() => ran('COMMIT')),
    )
    expect(await Promise.all(answered)).toEqual([1, 1, 1])
  })

  it('refuses every waiter when the commit itself fails, and works on afterwards', async () => {
    const called: string[] = []
    const results = await Promise.allSettled([
      db.transact(async (tx) => {
        tx.afterCommit(() => called.push('wake'))
        await add(tx, 'good')
      }),
      db.transact((tx) => tx.run('INSERT INTO children (id, parent) VALUES (?, ?)', ['c', 'nobody'])),
      db.transact(async () => {
        throw new RangeError('its own')
      }),
      db.transact((tx) => add(tx, 'good too')),
    ])
    expect(results.map((result) => result.status)).toEqual(Array(4).fill('rejected'))
    const reasons = results.map((result) => (result as PromiseRejectedResult).reason as Error)
    for (const index of [0, 1, 3]) {
      expect(reasons[index]).toBeInstanceOf(CommitFailed)
      expect(String(reasons[index]?.cause)).toMatch(/FOREIGN KEY/)
    }
    expect(reasons[2]?.message).toBe('its own')
    expect(called).toEqual([])
    expect(await ids()).toEqual([])
    await db.transact((tx) => add(tx, 'after'))
    expect(await ids()).toEqual(['after'])
  })

  it('refuses every waiter when SQLite itself ends the transaction', async () => {
    await db.transact((tx) =>
      tx.run(
        `CREATE TRIGGER gone BEFORE INSERT ON items WHEN NEW.id = 'bomb' BEGIN SELECT RAISE(ROLLBACK, 'gone'); END`,
      ),
    )
    const group = ['a', 'bomb', 'b'].map((id) => db.transact((tx) => add(tx, id)))
    const results = await Promise.allSettled(group)
    expect(results.map((result) => result.status)).toEqual(['rejected', 'rejected', 'rejected'])
    expect(await ids()).toEqual([])
    await db.transact((tx) => add(tx, 'c'))
    expect(await ids()).toEqual(['c'])
  })

  it('ends a transaction that awaits something besides statements, and spares the others', async () => {
    const resumed = Promise.withResolvers<void>()
    let late: Promise<unknown> | undefined
    const stalled = db.transact(async (tx) => {
      await add(tx, 'stalled')
      await resumed.promise
      late = add(tx, 'late')
      await late
    })
    const neighbour = db.transact((tx) => add(tx, 'neighbour'))
    await expect(stalled).rejects.toThrow(TransactionMisuse)
    await neighbour
    resumed.resolve()
    await resumed.promise
    await expect(late).rejects.toThrow('has ended')
    expect(await ids()).toEqual(['neighbour'])
  })

  it('takes a transaction that is asked for while a group runs into the next group', async () => {
    let second: Promise<unknown> | undefined
    const outside = Promise.withResolvers<void>()
    void outside.promise.then(() => {
      second = db.transact((tx) => add(tx, 'second'))
    })
    await db.transact(async (tx) => {
      outside.resolve()
      await add(tx, 'first')
      await outside.promise
    })
    await second
    expect(ran('COMMIT')).toBe(2)
    expect(await ids()).toEqual(['first', 'second'])
  })

  it('warns about an afterCommit that throws, and answers the transaction all the same', async () => {
    const warned = once(process, 'warning') as Promise<[Error]>
    await db.transact(async (tx) => {
      tx.afterCommit(() => {
        throw new Error('deaf listener')
      })
      await add(tx, 'a')
    })
    expect((await warned)[0].message).toBe('deaf listener')
    expect(await ids()).toEqual(['a'])
  })
})

describe('other processes', () => {
  it('tells every waiter when another process keeps the write lock', async () => {
    const other = new Database(fresh.file)
    other.exec('BEGIN IMMEDIATE')
    const results = await Promise.allSettled([1, 2].map((n) => db.transact((tx) => add(tx, `n${n}`))))
    for (const result of results) expect((result as PromiseRejectedResult).reason).toBeInstanceOf(DatabaseBusy)
    other.exec('ROLLBACK')
    other.close()
    await db.transact((tx) => add(tx, 'after'))
    expect(await ids()).toEqual(['after'])
  })

  it('writes together with another process', async () => {
    const patient = fresh.open()
    const writer = startWriter('child', 40, 5)
    const own = async () => {
      for (let n = 0; n < 40; n += 1) await patient.transact((tx) => add(tx, `own-${n}`))
    }
    const [[code]] = await Promise.all([writer.closed, own()])
    expect(code).toBe(0)
    const all = await ids()
    expect(all.filter((id) => id.startsWith('child'))).toHaveLength(200)
    expect(all.filter((id) => id.startsWith('own'))).toHaveLength(40)
  })

  it('has every acknowledged row after kill -9 in the middle of committing', async () => {
    for (const round of [1, 2, 3]) {
      const writer = startWriter(`kill${round}`, 0, 20)
      while (writer.acknowledged().length < 200 * round) await once(writer.child.stdout, 'data')
      writer.child.kill('SIGKILL')
      const [, signal] = await writer.closed
      expect(signal).toBe('SIGKILL')
      const stored = new Set(await ids())
      expect(writer.acknowledged().filter((id) => !stored.has(id))).toEqual([])
    }
    expect(await db.transact((tx) => tx.get('PRAGMA integrity_check'))).toEqual({ integrity_check: 'ok' })
  })
})
