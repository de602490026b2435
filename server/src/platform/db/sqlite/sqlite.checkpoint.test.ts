import { execFileSync } from 'node:child_process'
import { mkdtempSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import Database from 'better-sqlite3'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { Checkpointer } from './sqlite.checkpoint.ts'

let dir: string
let file: string
let database: Database.Database

beforeEach(() => {
  dir = mkdtempSync(join(tmpdir(), 'checkpoint-'))
  file = join(dir, 'test.db')
  database = new Database(file)
  database.pragma('journal_mode = WAL')
  database.pragma('wal_autocheckpoint = 0')
  database.exec('CREATE TABLE rows (id INTEGER PRIMARY KEY, text TEXT)')
})
afterEach(() => {
  database.close()
  rmSync(dir, { recursive: true, force: true })
})

const insert = (checkpointer: Checkpointer, count: number): void => {
  const statement = database.prepare('INSERT INTO rows (text) VALUES (?)')
  for (let n = 0; n < count; n += 1) {
    statement.run('x'.repeat(1000))
    checkpointer.committed()
  }
}

describe('the checkpointer', () => {
  it('copies the log into the database file after so many commits, while the writer keeps its connection', async () => {
    const failures: Error[] = []
    const checkpointer = new Checkpointer(file, { afterGroups: 10, intervalMs: 0, onFailure: (e) => failures.push(e) })
    const first = checkpointer.next()
    insert(checkpointer, 25)
    const { frames, copied } = await first
    expect(frames).toBeGreaterThanOrEqual(25)
    expect(copied).toBe(frames)
    // What was copied is in the file itself.
    const second = checkpointer.next()
    insert(checkpointer, 10)
    expect((await second).copied).toBeGreaterThan(0)
    await checkpointer.close()
    expect(database.prepare('SELECT count(*) AS n FROM rows').get()).toEqual({ n: 35 })
    expect(failures).toEqual([])
  })

  it('copies up to what a reader still needs, and the rest when the reader is done', async () => {
    const reader = new Database(file, { readonly: true })
    const checkpointer = new Checkpointer(file, {
      afterGroups: 5,
      intervalMs: 0,
      onFailure: (e) => expect(e).toBe(undefined),
    })
    insert(checkpointer, 1)
    reader.exec('BEGIN')
    reader.prepare('SELECT count(*) FROM rows').get()
    const held = checkpointer.next()
    insert(checkpointer, 5)
    const partly = await held
    expect(partly.copied).toBeLessThan(partly.frames)
    expect(reader.prepare('SELECT count(*) AS n FROM rows').get()).toEqual({ n: 1 })
    reader.exec('COMMIT')
    const freed = checkpointer.next()
    insert(checkpointer, 5)
    const whole = await freed
    expect(whole.copied).toBe(whole.frames)
    await checkpointer.close()
    reader.close()
  })

  it('begins the log anew under a load that never pauses, and empties it once nobody writes', async () => {
    const options = { afterGroups: 100, intervalMs: 0, onFailure: (e: Error) => expect(e).toBe(undefined) }
    const length = () => statSync(`${file}-wal`).size
    const busy = new Checkpointer(file, { ...options, quietMs: 60_000 })
    const big = database.prepare('INSERT INTO rows (text) VALUES (?)')
    const fill = (checkpointer: Checkpointer, MiB: number) => {
      for (let n = 0; n < MiB; n++) big.run('x'.repeat(1024 * 1024))
      for (let n = 0; n < 100; n++) checkpointer.committed()
    }
    for (let round = 0; round < 4; round++) {
      const next = busy.next()
      fill(busy, 36)
      expect((await next).restarted).toBe(true)
    }
    // Four times as much has been written.
    expect(length()).toBeLessThan(64 * 1024 * 1024)
    expect(length()).toBeGreaterThan(32 * 1024 * 1024)
    await busy.close()
    const quiet = new Checkpointer(file, { ...options, quietMs: 0 })
    const emptied = quiet.next()
    big.run('x'.repeat(8 * 1024 * 1024))
    quiet.committed()
    expect((await emptied).restarted).toBe(true)
    expect(length()).toBe(0)
    await quiet.close()
  })

  it('starts no thread for a few commits', async () => {
    // Other files of the process may still have threads.
    const ports = () => process.getActiveResourcesInfo().filter((name) => name === 'MessagePort').length
    const before = ports()
    const checkpointer = new Checkpointer(file, { onFailure: (e) => expect(e).toBe(undefined) })
    insert(checkpointer, 20)
    await checkpointer.close()
    expect(ports()).toBeLessThanOrEqual(before)
  })

  it('is waited for when it is closed, also by a process that has nothing else to do', () => {
    const script = `
      import { Checkpointer } from '${new URL('./sqlite.checkpoint.ts', import.meta.url).href}'
      const checkpointer = new Checkpointer(process.argv[2], { afterGroups: 1, intervalMs: 0, onFailure(e) { throw e } })
      const busy = setInterval(() => {}, 1000)
      const copied = checkpointer.next()
      checkpointer.committed()
      await copied
      clearInterval(busy)
      await checkpointer.close()
      process.stdout.write('closed')`
    const program = join(dir, 'closing.mjs')
    writeFileSync(program, script)
    // Where it is not, the process ends with code 13, which is thrown here.
    expect(execFileSync(process.execPath, [program, file], { encoding: 'utf8', stdio: 'pipe' })).toBe('closed')
  })

  it('says so when it cannot, so that the writer does it', async () => {
    const broken = join(dir, 'broken.db')
    writeFileSync(broken, 'this is not a database, and never was one'.repeat(200))
    const failed = new Promise<Error>((resolve) => {
      const checkpointer = new Checkpointer(broken, { afterGroups: 1, intervalMs: 0, onFailure: resolve })
      checkpointer.committed()
    })
    expect((await failed).message).toContain('not a database')
  })
})
