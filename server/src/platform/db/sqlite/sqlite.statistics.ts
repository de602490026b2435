import { migrationsTable } from '../dialect.ts'
import type { Tx } from '../types.ts'

/*
 * SQLite chooses indexes by sqlite_stat1, and without it by rules of thumb that take "this organisation and this environment"
 * for as good as "this session": a query then reads an organisation's whole history. ANALYZE of a database as it is on its
 * first day says no better, so the table is filled with what ours look like when they are full
 * (https://sqlite.org/lang_analyze.html, "Fixed Results Of ANALYZE"). Only the order of the figures matters.
 *
 * Measured: without it the gates of eight sessions read every session of the organisation, 12 µs for each and more with each
 * session that it had; five more statements did the like, the erasure of one item among them, which read every object. With
 * it batches of 10 and of 50 integrity events gained a tenth. `INDEXED BY` would say the same in each statement, but Postgres,
 * which shares their text, has no such clause, and a statement that names an index fails once the index has another name.
 * A new column falls under `valuesOf` by its name: `query-plans.test.ts` holds the plans of all endpoints to the outcome.
 */

const rowCount = 1_000_000
/** A partial index holds what is pending, which is little. */
const partialRows = 10_000
/** Columns of few values, such as a state: these narrow little. */
const few = /^(state|status|kind|role|type|active|bookkeeping|lane|locale|series|evidence_type|event_type)$/

/** From here on an index only carries what its readers would otherwise look up in the rows. */
const carried = 'duration_ms'

/** By how much a further column narrows what those before it leave. */
const valuesOf = (column: string): number => {
  if (column === 'environment') return 1
  if (column === 'org_id') return 50
  return few.test(column) ? 4 : 100
}

/** A row of sqlite_stat1: rows in all, then how many share the first column, the first two, and so on. */
export const statisticsOf = (columns: readonly string[], unique: boolean, partial: boolean): string => {
  const all = partial ? partialRows : rowCount
  const ordered = columns.includes(carried) ? columns.indexOf(carried) : columns.length
  const keys = unique ? ordered - 1 : ordered
  let left = all
  const shared = columns.map((column, index) => {
    // Every further column has to be worth something, however many there are.
    left = Math.max(4 ** Math.max(0, keys - index), Math.round(left / valuesOf(column)))
    return index === keys ? 1 : left
  })
  // Skipping through an index whose first column is not asked for: no query of ours is meant to.
  return [all, ...shared, 'noskipscan'].join(' ')
}

interface IndexRow {
  readonly tbl: string
  readonly idx: string
  readonly unique: number
  readonly partial: number
  readonly columns: string
}
interface StatRow {
  readonly tbl: string
  readonly idx: string
  readonly stat: string
}

/** SQLite knows the primary key of a table without rowids by the table's name. */
const listIndexes = (tx: Tx): Promise<IndexRow[]> =>
  tx.all<IndexRow>(
    `SELECT t.name AS tbl, CASE WHEN t.wr AND i.origin = 'pk' THEN t.name ELSE i.name END AS idx, i."unique" AS "unique",
       i.partial AS partial,
       (SELECT group_concat(c.name) FROM (SELECT name FROM pragma_index_info(i.name) ORDER BY seqno) AS c) AS columns
     FROM pragma_table_list t JOIN pragma_index_list(t.name) i
     WHERE t.schema = 'main' AND t.type = 'table' AND t.name NOT LIKE 'sqlite\\_%' ESCAPE '\\' ORDER BY tbl, idx`,
  )

/** Writes what the planner is to think of every index, if that is not there yet. Connections opened later read it. */
export const describeIndexes = async (tx: Tx): Promise<void> => {
  const wanted = (await listIndexes(tx)).map(
    ({ tbl, idx, unique, partial, columns }): StatRow => ({
      tbl,
      idx,
      stat: statisticsOf(columns.split(','), unique === 1, partial === 1),
    }),
  )
  const table = await tx.get("SELECT 1 AS found FROM sqlite_schema WHERE name = 'sqlite_stat1'")
  // Only ANALYZE can make the table; the record of migrations is the smallest thing to have it look at.
  if (!table) await tx.run(`ANALYZE ${migrationsTable}`)
  const there = await tx.all<StatRow>('SELECT tbl, idx, stat FROM sqlite_stat1 WHERE idx IS NOT NULL ORDER BY tbl, idx')
  if (JSON.stringify(there) === JSON.stringify(wanted)) return
  await tx.run('DELETE FROM sqlite_stat1')
  for (const { tbl, idx, stat } of wanted)
    await tx.run('INSERT INTO sqlite_stat1 (tbl, idx, stat) VALUES (?, ?, ?)', [tbl, idx, stat])
  // Looks at no rows: this connection reads the figures again.
  await tx.run('ANALYZE sqlite_schema')
}
