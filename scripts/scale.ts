// Several server processes behind a balancer, with a Postgres of their own, an object store that speaks S3 and Redis where
// this machine has it, killed and restarted in turn for five minutes while interviews are held through them. `npm run scale -- --seconds=60` for less.
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { postgresBinaries, startPostgres } from '../server/test/test-support/postgres-server.ts'
import { hasRedis, startRedis } from '../server/test/test-support/redis.ts'
import { startS3Double } from '../server/test/test-support/s3-double.ts'
import { runScale } from '../server/test/test-support/scale.ts'

const seconds = Number(/^--seconds=(\d+)$/.exec(process.argv[2] ?? '')?.[1] ?? 300)
const native = postgresBinaries()
if (native === undefined) throw new Error('there are no Postgres binaries for this machine')
const postgres = await startPostgres(native)
const redis = hasRedis ? await startRedis() : undefined
const store = await startS3Double()
// It would keep every body that it was ever sent.
store.fault = () => {
  store.asks.length = 0
  return undefined
}
const dataDir = await mkdtemp(join(tmpdir(), 'integrity-scale-'))
try {
  const env = { DATABASE_URL: postgres.url, DATA_DIR: dataDir, ...(redis && { REDIS_URL: redis.url }) }
  const outcome = await runScale({
    ...{ processes: 3, forMs: seconds * 1000, env, say: (line) => console.error(line) },
    s3: { endpoint: store.endpoint, accessKeyId: 'key', secretAccessKey: 'secret' },
  })
  console.log(JSON.stringify(outcome, null, 2))
  process.exitCode = outcome.wrong.length === 0 ? 0 : 1
} finally {
  await redis?.kill()
  await postgres.stop()
  await store.stop()
  await rm(dataDir, { recursive: true, force: true })
}
