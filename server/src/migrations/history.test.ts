import { execFileSync } from 'node:child_process'
import { readFileSync, writeFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { describe, expect, it } from 'vitest'
import { freshDatabase } from '../../test/test-support/databases.ts'
import { enginesInTurn } from '../../test/test-support/engines.ts'
import { dumpSchema, migrateUp, pendingMigrations } from '../platform/db/migrate.ts'
import { migrations } from './index.ts'

const renews = process.env['UPDATE_SCHEMA'] === '1'
const orderFile = new URL('./order.txt', import.meta.url)
/** Lists with gaps that commits had: the newest step of each, and the steps below it that it lacked. */
const historyFile = new URL('./history.txt', import.meta.url)
const linesOf = (text: string): string[] => text.split('\n').filter((line) => line !== '')
const names = migrations.map(({ name }) => name)

const git = (...args: string[]): string =>
  execFileSync('git', ['-C', fileURLToPath(new URL('../../..', import.meta.url)), ...args], {
    stdio: ['ignore', 'pipe', 'ignore'],
    maxBuffer: 1 << 28,
  }).toString()

/** Each text that a file had in the history; none where the history is not there. */
const textsOf = (path: string, ...options: string[]): string[] => {
  try {
    const commits = linesOf(git('log', ...options, '--format=%H', '--', path))
    return commits.flatMap((commit) => {
      try {
        return [git('show', `${commit}:${path}`)]
      } catch {
        return []
      }
    })
  } catch {
    return []
  }
}

const lineOf = (list: readonly string[]): string => {
  const newest = names.findLastIndex((name) => list.includes(name))
  return [names[newest], ...names.slice(0, newest).filter((name) => !list.includes(name))].join(' ')
}

describe('the order of the migrations', () => {
  it('is the committed one, to which new ones are appended', () => {
    const committed = linesOf(readFileSync(orderFile, 'utf8'))
    const added = names.filter((name) => !committed.includes(name))
    if (renews && added.length > 0) writeFileSync(orderFile, `${[...committed, ...added].join('\n')}\n`)
    const howTo = 'put index.ts into the order of order.txt; UPDATE_SCHEMA=1 appends what is new to it'
    expect(names, howTo).toEqual(renews ? [...committed, ...added] : committed)
  })

  it('never put one before those that main had', () => {
    const committed = linesOf(readFileSync(orderFile, 'utf8'))
    for (const earlier of textsOf('server/src/migrations/order.txt', '--first-parent').map(linesOf))
      expect(committed.slice(0, earlier.length)).toEqual(earlier)
  })
})

describe('the history of the migrations', () => {
  it('is committed: every list with a gap that a commit had is among those that are migrated below', () => {
    const lists = textsOf('server/src/migrations/index.ts', '--full-history').map((text) =>
      [...text.matchAll(/from '\.\/(\d{4}-[^']+)\.ts'/g)].map(([, name]) => name!),
    )
    for (const list of lists) expect(list.filter((name) => !names.includes(name))).toEqual([])
    const committed = linesOf(readFileSync(historyFile, 'utf8'))
    // Lists without a gap are walked step by step by another test.
    const all = [...new Set([...committed, ...lists.map(lineOf).filter((line) => line.includes(' '))])]
    if (renews) writeFileSync(historyFile, `${all.join('\n')}\n`)
    const howTo = 'UPDATE_SCHEMA=1 adds them to history.txt'
    expect(all.slice(committed.length), howTo).toEqual(renews ? all.slice(committed.length) : [])
  })

  const gaps = linesOf(readFileSync(historyFile, 'utf8'))
    .map((line) => line.split(' '))
    .filter(([, ...lacking]) => lacking.length > 0)

  it.each(enginesInTurn(import.meta.filename))(
    'can be followed from each of its lists (%s)',
    { timeout: 180_000 },
    async (engine) => {
      const whole = await freshDatabase(engine)
      await migrateUp(whole.open(), migrations)
      const rules = async (db: Parameters<typeof dumpSchema>[0]) => sorted(await dumpSchema(db))
      const expected = await rules(whole.open())
      await whole.drop()
      expect(gaps.length).toBeGreaterThan(30)
      for (const [newest, ...lacking] of gaps) {
        const database = await freshDatabase(engine)
        const db = database.open()
        const had = migrations.slice(0, names.indexOf(newest!) + 1).filter(({ name }) => !lacking.includes(name))
        await migrateUp(db, had)
        expect(await migrateUp(db, migrations)).toEqual(names.filter((name) => !had.some((one) => one.name === name)))
        expect(await pendingMigrations(db, migrations)).toEqual([])
        expect(await rules(db), `${newest} without ${lacking.join(' ')}`).toEqual(expected)
        await database.drop()
      }
    },
  )
})

/** Columns lie in the order in which they were added; which order that was, no statement asks. */
const sorted = (dump: string): string[] =>
  dump
    .split('\n')
    .map((line) =>
      line
        .split(/[\s,()]+/)
        .toSorted()
        .join(' '),
    )
    .toSorted()
