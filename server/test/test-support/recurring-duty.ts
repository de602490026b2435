import type { TestServer } from './server.ts'

/** More than one transaction deletes. */
export const many = 1001

export interface Duty {
  /** Makes what it finds, all of it due at once. */
  readonly plant: (server: TestServer) => Promise<unknown>
  /** What is left of it. */
  readonly left: (server: TestServer) => Promise<number>
}

export const run = ({ app }: TestServer, sql: string): Promise<unknown> => app.db.transact((tx) => tx.run(sql))
export const count = async ({ app }: TestServer, sql: string) =>
  Number((await app.db.reader.get<{ n: number }>(sql))?.n)

export const numbers = `WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < ${many})`

/** Old rows of a table: for each column its value, in SQL that knows the row's number `i`. */
export const rowsOf = (
  table: string,
  columns: Readonly<Record<string, string>>,
  ours: string,
  ...before: readonly string[]
): Duty => {
  const select = `${numbers} SELECT ${Object.values(columns).join(', ')} FROM n`
  return {
    plant: async (server) => {
      for (const sql of before) await run(server, sql)
      await run(server, `INSERT INTO ${table} (${Object.keys(columns).join(', ')}) ${select}`)
    },
    left: (server) => count(server, `SELECT count(*) AS n FROM ${table} WHERE ${ours}`),
  }
}

/** Several of one name. */
export const all = (...duties: readonly Duty[]): Duty => ({
  plant: async (server) => {
    for (const { plant } of duties) await plant(server)
  },
  left: async (server) => {
    let sum = 0
    for (const { left } of duties) sum += await left(server)
    return sum
  },
})
