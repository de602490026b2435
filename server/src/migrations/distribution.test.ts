import { readFileSync } from 'node:fs'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { type FreshDatabase, freshDatabase } from '../../test/test-support/databases.ts'
import type { MigratableDb } from '../platform/db/dialect.ts'

interface Key {
  readonly name: string
  readonly columns: string | null
}
interface Reference {
  readonly name: string
  readonly target: string
  readonly columns: string
}

const page = readFileSync(new URL('../../../docs/scaling.md', import.meta.url), 'utf8')

/** The rows of the table below a heading: the names in its first column, with what is said of them. */
const rowsBelow = (heading: string) => {
  const [, section = ''] = new RegExp(`### ${heading}\\n([\\s\\S]*?)\\n##`).exec(page) ?? []
  const lines = section.split('\n').filter((line) => line.startsWith('| `'))
  return lines.flatMap((line) => {
    const [, names = '', ...words] = line.split('|')
    expect(words.join('').trim().length, line).toBeGreaterThan(10)
    return [...names.matchAll(/`([a-z_.]+)`/g)].map(([, name]) => name!)
  })
}

/** What Citus asks of a schema: the column that rows are distributed by is in each key, and references lead to where both lie. */
describe('the tables that `org_id` cannot distribute are named, with what becomes of each', () => {
  let database: FreshDatabase
  let db: MigratableDb
  let primary: Key[]
  let local: Set<string>
  const hasOrg = ({ columns }: Key | Reference): boolean => (columns ?? '').split(',').includes('org_id')
  const tables = `sqlite_master m WHERE m.type = 'table' AND m.name NOT LIKE 'sqlite_%'`

  beforeAll(async () => {
    database = await freshDatabase('sqlite', 'tables')
    db = database.open()
    primary = await db.reader.all<Key>(
      `SELECT m.name, (SELECT group_concat(name) FROM (SELECT name FROM pragma_table_info(m.name) WHERE pk > 0 ORDER BY pk))
         AS columns FROM ${tables} ORDER BY m.name`,
    )
    local = new Set(primary.filter((key) => !hasOrg(key)).map(({ name }) => name))
  })
  afterAll(() => database.drop())

  it('whose primary key has no organisation', () => {
    expect(primary.length).toBeGreaterThan(100)
    expect(rowsBelow('Keys without an organisation').toSorted()).toEqual([...local].toSorted())
    // Rows of one organisation lie beside each other in all others.
    expect(primary.filter(({ name, columns }) => !local.has(name) && !columns?.startsWith('org_id'))).toEqual([])
  })

  it('that hold something unique across organisations', async () => {
    const unique = await db.reader.all<Key>(
      `SELECT m.name, (SELECT group_concat(name, '.') FROM pragma_index_info(i.name)) AS columns
       FROM ${tables.replace(' m WHERE', ' m, pragma_index_list(m.name) i WHERE')} AND i."unique" = 1 ORDER BY m.name`,
    )
    const beyond = unique.filter(({ name, columns }) => !local.has(name) && !columns?.split('.').includes('org_id'))
    const named = beyond.map(({ name, columns }) => `${name}.${columns}`)
    expect(rowsBelow('Unique across organisations').toSorted()).toEqual(named.toSorted())
  })

  it('that refer to rows which lie elsewhere', async () => {
    const references = await db.reader.all<Reference>(
      `SELECT m.name, f."table" AS target, group_concat(f."from") AS columns
       FROM ${tables.replace(' m WHERE', ' m, pragma_foreign_key_list(m.name) f WHERE')} GROUP BY m.name, f.id ORDER BY m.name`,
    )
    expect(references.length).toBeGreaterThan(50)
    const apart = references.filter((one) => !local.has(one.target) && (local.has(one.name) || !hasOrg(one)))
    const named = [...new Set(apart.map(({ name, target }) => `${name}.${target}`))]
    expect(rowsBelow('References that lead elsewhere').toSorted()).toEqual(named.toSorted())
  })
})
