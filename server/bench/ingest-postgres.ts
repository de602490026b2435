import pg from 'pg'
import { postgresBinaries, startPostgres } from '../test/test-support/postgres-server.ts'
import { type Bench, compared, type Figure, median, noCeilings, seconds, startBenchServer } from './harness.ts'
import { sendAll } from './ingest.ts'
import {
  agents,
  type Event,
  makeBatches,
  plainColumns,
  plainIndex,
  plainRows,
  plainTable,
  plainTypes,
} from './plain-rows.ts'

const rounds = 3
const batchSize = 50
const batches = 1200

/** One INSERT with many VALUES for each batch, one after the other, each its own transaction. */
const plainPostgres = async (client: pg.Client, all: readonly Event[][]): Promise<number> => {
  await client.query('DROP TABLE IF EXISTS integrity_events')
  await client.query(plainTable)
  await client.query(plainIndex)
  const width = plainColumns.length
  const tuples = Array.from(
    { length: batchSize },
    (_row, r) => `(${plainColumns.map((_c, c) => `$${r * width + c + 1}`).join(', ')})`,
  )
  const text = `INSERT INTO integrity_events VALUES ${tuples.join(', ')}`
  const toRows = plainRows()
  return seconds(async () => {
    for (const [index, batch] of all.entries())
      await client.query({ name: 'plain', text, values: toRows(batch, index % agents).flat() })
  })
}

/** As many batches as wait for a commit when each of 16 agents has one under way. */
const together = agents

/** The same rows, sixteen batches in one INSERT of whole columns with one commit: what sharing commits gives at most. */
const coalescedPostgres = async (client: pg.Client, all: readonly Event[][]): Promise<number> => {
  await client.query('DROP TABLE IF EXISTS integrity_events')
  await client.query(plainTable)
  await client.query(plainIndex)
  const types = plainTypes.map((type, c) => `$${c + 1}::${type}[]`)
  const text = `INSERT INTO integrity_events SELECT * FROM unnest(${types.join(', ')})`
  const toRows = plainRows()
  return seconds(async () => {
    for (let from = 0; from < all.length; from += together) {
      const rows = all.slice(from, from + together).flatMap((batch, n) => toRows(batch, (from + n) % agents))
      const values = plainColumns.map((_column, c) => rows.map((row) => row[c]))
      await client.query({ name: 'coalesced', text, values })
    }
  })
}

interface Rates {
  readonly ours: number
  readonly plain: number
  readonly coalesced: number
}

/** Rows a second, medians of rounds that take turns, on one Postgres. */
const ratesOn = async (binaries: string, fsync: boolean): Promise<Rates> => {
  const postgres = await startPostgres(binaries, { fsync })
  const client = new pg.Client({ connectionString: postgres.url })
  await client.connect()
  await client.query('CREATE DATABASE bench')
  const server = await startBenchServer({
    ...noCeilings,
    DATABASE_URL: postgres.url.replace(/\/postgres$/, '/bench'),
  })
  try {
    const took: Record<keyof Rates, number[]> = { ours: [], plain: [], coalesced: [] }
    await sendAll(server, makeBatches(agents * 4, batchSize))
    for (let round = 0; round < rounds; round++) {
      took.plain.push(await plainPostgres(client, makeBatches(batches, batchSize)))
      took.ours.push((await sendAll(server, makeBatches(batches, batchSize))).wall)
      took.coalesced.push(await coalescedPostgres(client, makeBatches(batches, batchSize)))
    }
    const rate = (walls: readonly number[]) => (batches * batchSize) / median(walls)
    return { ours: rate(took.ours), plain: rate(took.plain), coalesced: rate(took.coalesced) }
  } finally {
    await server.stop()
    await client.end()
    await postgres.stop()
  }
}

export const ingestPostgres: Bench = {
  name: 'Ingest of integrity events on Postgres',
  what: 'The same 16 agents and batches of 50; the baseline is plain pg on one connection. Both on one Postgres: with fsync off, so that the disk is not what is compared, and durable. Coalesced: sixteen batches in one INSERT of arrays, with one commit.',
  async run(): Promise<Figure[]> {
    const binaries = postgresBinaries()
    if (!binaries) return [{ name: 'SKIPPED: no Postgres binaries for this platform', value: '' }]
    const quick = await ratesOn(binaries, false)
    const durable = await ratesOn(binaries, true)
    const against = (name: string, ours: number, theirs: number, atLeast: number) =>
      compared(name, ours, theirs, 'rows/s', { atLeast })
    return [
      against('batches of 50: rows a second against plain pg', quick.ours, quick.plain, 0.8),
      against('durable: rows a second against plain pg, a commit for each batch', durable.ours, durable.plain, 1.2),
      against('durable: rows a second against coalesced inserts', durable.ours, durable.coalesced, 0.7),
    ]
  },
}
