import type { Db, Reader, Tx } from '../types.ts'

/** A table whose rows are in parts, each of a stretch of time; times are epoch milliseconds. */
interface Partitioned {
  readonly name: string
  /** The column that says where a row lies. */
  readonly column: string
}

interface Part {
  readonly name: string
  /** The first millisecond behind it; null for the part that takes what no other does. */
  readonly until: number | null
}

const ours = 'relnamespace = current_schema()::regnamespace'

const partitionedTables = (reader: Reader): Promise<Partitioned[]> =>
  reader.all(
    `SELECT c.relname::text AS name, a.attname::text AS "column" FROM pg_partitioned_table p
     JOIN pg_class c ON c.oid = p.partrelid JOIN pg_attribute a ON a.attrelid = c.oid AND a.attnum = p.partattrs[0]
     WHERE c.${ours} AND p.partstrat = 'r' ORDER BY c.relname`,
  )

const partsOf = async (reader: Reader, table: string): Promise<Part[]> => {
  const rows = await reader.all<{ name: string; bound: string }>(
    `SELECT c.relname::text AS name, pg_get_expr(c.relpartbound, c.oid) AS bound FROM pg_inherits i
     JOIN pg_class c ON c.oid = i.inhrelid JOIN pg_class p ON p.oid = i.inhparent
     WHERE p.${ours} AND p.relname = ? ORDER BY c.relname`,
    [table],
  )
  return rows.map(({ name, bound }) => {
    const until = /TO \('?(\d+)'?\)/.exec(bound)?.[1]
    return { name, until: until === undefined ? null : Number(until) }
  })
}

/** The first moment of a month, so many after that of a time. In UTC. */
export const monthAt = (time: number, after = 0): number => {
  const date = new Date(time)
  return Date.UTC(date.getUTCFullYear(), date.getUTCMonth() + after)
}

const monthsAhead = 2
/** Whoever waits behind a lock that these changes ask for waits no longer than this. */
const patience = "SET LOCAL lock_timeout = '2s'"

const lateOf = (table: string): string => `${table}_late`
const partOf = (table: string, from: number): string =>
  `${table}_${new Date(from).toISOString().slice(0, 7).replace('-', '_')}`

/** Months that have no part yet, up to two from now. After a long pause only those from now on: the gap goes to the late one. */
const missingMonths = (parts: readonly Part[], now: number): number[] => {
  const last = Math.max(monthAt(now), ...parts.flatMap(({ until }) => until ?? []))
  const months: number[] = []
  for (let from = last; from <= monthAt(now, monthsAhead); from = monthAt(from, 1)) months.push(from)
  return months
}

/** Made beside the others and then put among them, so that nobody who writes waits; what came too early moves in. */
const makePart = async (tx: Tx, { name, column }: Partitioned, from: number): Promise<void> => {
  const [part, late, to] = [partOf(name, from), lateOf(name), monthAt(from, 1)]
  await tx.run(patience)
  await tx.run(`CREATE TABLE ${part} (LIKE ${late} INCLUDING ALL)`)
  await tx.run(`LOCK TABLE ${late} IN SHARE ROW EXCLUSIVE MODE`)
  await tx.run(
    `WITH early AS (DELETE FROM ${late} WHERE ${column} >= ${from} AND ${column} < ${to} RETURNING *)
     INSERT INTO ${part} SELECT * FROM early`,
  )
  await tx.run(`ALTER TABLE ${name} ATTACH PARTITION ${part} FOR VALUES FROM (${from}) TO (${to})`)
}

/** False while there is a row in it. */
const dropEmpty = async (tx: Tx, part: string): Promise<boolean> => {
  await tx.run(patience)
  await tx.run(`LOCK TABLE ${part} IN ACCESS EXCLUSIVE MODE`)
  if (await tx.get(`SELECT 1 AS found FROM ${part} LIMIT 1`)) return false
  await tx.run(`DROP TABLE ${part}`)
  return true
}

/** Makes the parts of the months to come, and gives back to the disk those of months that are over and empty. */
export const tendPartitions = async (db: Db, now: number): Promise<void> => {
  for (const table of await partitionedTables(db.reader)) {
    const parts = await partsOf(db.reader, table.name)
    for (const from of missingMonths(parts, now)) await db.transact((tx) => makePart(tx, table, from))
    for (const { name, until } of parts)
      if (until !== null && until <= now && !(await db.reader.get(`SELECT 1 AS found FROM ${name} LIMIT 1`)))
        await db.transact((tx) => dropEmpty(tx, name))
  }
}
