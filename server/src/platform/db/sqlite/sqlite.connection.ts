import type Database from 'better-sqlite3'
import { Cache } from '../../cache.ts'
import { mapDatabaseError } from '../errors.ts'
import { checkParams } from '../statement.ts'
import type { Param, Reader } from '../types.ts'
import type { SqliteReaders } from './sqlite.readers.ts'

type Prepared = Database.Statement<[readonly Param[]]>

const cachedStatements = 500

/** One better-sqlite3 connection with its prepared statements. */
export class SqliteConnection {
  readonly database: Database.Database
  readonly #cache = new Cache<Prepared>({ limit: cachedStatements })

  constructor(database: Database.Database) {
    this.database = database
  }

  /** Prepares once per text; a text that SQLite refuses is not kept. */
  prepare(sql: string): Prepared {
    return this.#cache.get(sql) ?? this.#prepareNew(sql)
  }

  all(sql: string, params: readonly Param[] | undefined): unknown[] {
    const prepared = this.prepare(sql)
    if (prepared.reader) return prepared.all(checkParams(params))
    prepared.run(checkParams(params))
    return []
  }

  get(sql: string, params: readonly Param[] | undefined): unknown {
    const prepared = this.prepare(sql)
    if (prepared.reader) return prepared.get(checkParams(params))
    prepared.run(checkParams(params))
    return undefined
  }

  /** Runs a one-row insert for each of the rows; which of them were really inserted, by index. */
  insertEach(sql: string, rows: readonly (readonly Param[])[]): number[] {
    const prepared = this.prepare(sql)
    const inserted: number[] = []
    for (let index = 0; index < rows.length; index += 1)
      if (prepared.run(rows[index]!).changes > 0) inserted.push(index)
    return inserted
  }

  run(sql: string, params: readonly Param[] | undefined): { changes: number } {
    const prepared = this.prepare(sql)
    const bound = checkParams(params)
    // A statement with RETURNING has to be stepped to its end, or it would touch only the first rows.
    return { changes: prepared.reader ? prepared.all(bound).length : prepared.run(bound).changes }
  }

  #prepareNew(sql: string): Prepared {
    const prepared = this.database.prepare<[readonly Param[]]>(sql)
    this.#cache.set(sql, prepared)
    return prepared
  }
}

/** Reads in threads of their own, for one owner. */
export const threadReader = (readers: SqliteReaders, owner: string, onSpent: (ms: number) => void): Reader => {
  const all = async <Row>(sql: string, params?: readonly Param[]): Promise<Row[]> =>
    (await readers.read(owner, { sql, params: checkParams(params) }, onSpent)) as Row[]
  return {
    all,
    get: async <Row>(sql: string, params?: readonly Param[]) => (await all<Row>(sql, params))[0],
    digest: async <Result>({ href }: URL, input: unknown) =>
      (await readers.read(owner, { module: href, input }, onSpent))[0] as Result,
  }
}

/** Reads on their own connection, so that they never see, nor wait for, the writer's open transaction. */
export class SqliteReader implements Reader {
  readonly #connection: SqliteConnection

  constructor(connection: SqliteConnection) {
    this.#connection = connection
  }

  all<Row>(sql: string, params?: readonly Param[]): Promise<Row[]> {
    try {
      return Promise.resolve(this.#connection.all(sql, params) as Row[])
    } catch (error) {
      return Promise.reject(mapDatabaseError(error) as Error)
    }
  }

  get<Row>(sql: string, params?: readonly Param[]): Promise<Row | undefined> {
    try {
      return Promise.resolve(this.#connection.get(sql, params) as Row | undefined)
    } catch (error) {
      return Promise.reject(mapDatabaseError(error) as Error)
    }
  }
}
