// Several server processes behind a balancer, with a Postgres of their own, an object store that speaks S3 and Redis where this
// machine has it. One trouble after the other comes over them for five minutes while interviews are held, and everything that was
// acknowledged is read back in the end. `npm run scale -- --seconds=60` for less: every trouble comes once, however short.
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { lastRelease, takeSources } from '../server/test/test-support/last-release.ts'
import { postgresBinaries, startPostgres } from '../server/test/test-support/postgres-server.ts'
import { hasRedis, startRedis } from '../server/test/test-support/redis.ts'
import { startS3Double } from '../server/test/test-support/s3-double.ts'
import { runScale } from '../server/test/test-support/scale.ts'

const seconds = Number(/^--seconds=(\d+)$/.exec(process.argv[2] ?? '')?.[1] ?? 300)
/** Longer than the server waits for a bucket before it refuses. */
const longestMs = 30_000
const native = postgresBinaries()
if (native === undefined) throw new Error('there are no Postgres binaries for this machine')
const postgres = await startPostgres(native)
const redis = hasRedis ? await startRedis() : undefined
const store = await startS3Double()
const older = lastRelease === undefined ? undefined : await takeSources(lastRelease)
const dataDir = await mkdtemp(join(tmpdir(), 'integrity-scale-'))
try {
  const env = { DATABASE_URL: postgres.url, DATA_DIR: dataDir, ...(redis && { REDIS_URL: redis.url }) }
  const { table, wrong, interviews, evidence, events } = await runScale({
    processes: 3,
    forMs: seconds * 1000,
    troubleMs: Math.min(seconds * 100, longestMs),
    env,
    bucket: store,
    older,
    say: (line: string) => console.error(line),
  })
  console.log(table)
  console.log(JSON.stringify({ interviews, evidence, events }))
  for (const words of wrong) console.log(`WRONG: ${words}`)
  process.exitCode = wrong.length === 0 ? 0 : 1
} finally {
  await redis?.kill()
  await postgres.stop()
  await store.stop()
  await older?.remove()
  await rm(dataDir, { recursive: true, force: true })
}
