import pg from 'pg'
import { postgresBinaries, startPostgres } from '../test/test-support/postgres-server.ts'
import { type Bench, compared, type Figure, median, noCeilings, seconds, startBenchServer } from './harness.ts'
import { sendAll } from './ingest.ts'
import { agents, type Event, makeBatches, plainColumns, plainIndex, plainRows, plainTable } from './plain-rows.ts'

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

export const ingestPostgres: Bench = {
  name: 'Ingest of integrity events on Postgres',
  what: 'The same 16 agents and batches of 50; the baseline is plain pg on one connection. Both on one Postgres with fsync off, so that the disk is not what is compared.',
  async run(): Promise<Figure[]> {
    const binaries = postgresBinaries()
    if (!binaries) return [{ name: 'SKIPPED: no Postgres binaries for this platform', value: '' }]
    const postgres = await startPostgres(binaries)
    const client = new pg.Client({ connectionString: postgres.url })
    await client.connect()
    await client.query('CREATE DATABASE bench')
    const server = await startBenchServer({
      ...noCeilings,
      DATABASE_URL: postgres.url.replace(/\/postgres$/, '/bench'),
    })
    try {
      const ours: number[] = []
      const plain: number[] = []
      await sendAll(server, makeBatches(agents * 4, batchSize))
      for (let round = 0; round < rounds; round++) {
        plain.push((batches * batchSize) / (await plainPostgres(client, makeBatches(batches, batchSize))))
        ours.push((batches * batchSize) / (await sendAll(server, makeBatches(batches, batchSize))).wall)
      }
      return [
        compared('batches of 50: rows a second against plain pg', median(ours), median(plain), 'rows/s', {
          atLeast: 0.8,
        }),
      ]
    } finally {
      await server.stop()
      await client.end()
      await postgres.stop()
    }
  },
}
