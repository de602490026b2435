/** A table of the schema; the record of migrations is none of them. */
export interface TableShape {
  readonly name: string
  readonly columns: readonly string[]
}

/** All that was committed at one moment, for as long as it is read. */
export interface Snapshot {
  /** Names of the applied migrations, in order. */
  readonly migrations: readonly string[]
  readonly tables: readonly TableShape[]
  /** The rows of a table in pieces; each row has the values of `columns`, in their order. */
  rows(table: TableShape): AsyncIterable<readonly Values[]>
}

export type Values = readonly (string | number | null)[]

/** Rows for a table, on their way into it. */
export interface Filling {
  readonly table: TableShape
  readonly rows: readonly Values[]
}

/** What a database can do as a whole, beside its usual work. Each call opens a connection of its own and closes it. */
export interface WholeDatabase {
  /** Reads at one moment while others go on writing. */
  snapshot<T>(work: (snapshot: Snapshot) => Promise<T>): Promise<T>
  /** Tables that hold rows; those of an empty database are none. */
  filledTables(): Promise<readonly string[]>
  /** Fills empty tables in one transaction; keys that point nowhere are refused at its end. */
  fill(fillings: AsyncIterable<Filling>): Promise<void>
}

export const rowsInPiece = 500

/** Holds what is filled to the tables that are there. */
export const checkShape = (tables: readonly TableShape[], wanted: TableShape): TableShape => {
  const found = tables.find(({ name }) => name === wanted.name)
  const isSame = found && [...found.columns].sort().join() === [...wanted.columns].sort().join()
  if (!isSame) throw new Error(`there is no table ${wanted.name} with these columns: ${wanted.columns.join(', ')}`)
  return wanted
}
