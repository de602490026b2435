import { afterEach, describe, expect, it } from 'vitest'
import { type FreshDatabase, freshDatabase } from '../../test-support/databases.ts'
import { hasEngine } from '../../test-support/engines.ts'
import { handOver, storedOf } from '../../test-support/hand-over.ts'
import { type S3Double, startS3Double } from '../../test-support/s3-double.ts'
import { runScale } from '../../test-support/scale.ts'
import { type ServerProcess, startProcesses } from '../../test-support/scale-processes.ts'

describe.skipIf(!hasEngine('postgres'))('two server processes behind a balancer', () => {
  let database: FreshDatabase | undefined
  let processes: ServerProcess[] = []
  let store: S3Double | undefined
  afterEach(async () => {
    await Promise.all(processes.splice(0).map((process) => process.end('SIGKILL')))
    await store?.stop()
    store = undefined
    await database?.drop()
  })

  it('lose nothing and double nothing while they are killed and restarted in turn', { timeout: 240_000 }, async () => {
    database = await freshDatabase('postgres')
    store = await startS3Double()
    const { wrong, ...outcome } = await runScale({
      ...{ processes: 2, forMs: 0 },
      s3: { endpoint: store.endpoint, accessKeyId: 'key', secretAccessKey: 'secret' },
      env: { DATABASE_URL: database.databaseUrl!, DATA_DIR: database.dataDir },
    })
    // A string, since a summary shortens arrays.
    if (wrong.length > 0) throw new Error(wrong.join('; '))
    expect(store.objects.size).toBeGreaterThanOrEqual(outcome.evidence.kept)
    expect(outcome.restarts).toBeGreaterThanOrEqual(4)
    expect(outcome.interviews).toBeGreaterThan(2)
    expect(outcome.evidence.kept).toBe(outcome.evidence.sent)
    expect(outcome.events.delivered).toBe(outcome.events.published)
  })

  it('finish an upload at one that began at another, which was killed in the middle', async () => {
    database = await freshDatabase('postgres')
    const env = { DATABASE_URL: database.databaseUrl!, DATA_DIR: database.dataDir }
    const started = await startProcesses(2, env)
    processes = started.processes
    const [first, second] = processes.map(({ port }) => `http://127.0.0.1:${port}`)
    const sent = await handOver(first!, second!, started.key, () => processes[0]!.end('SIGKILL'))
    expect(await storedOf(second!, started.key, sent.sessionId)).toEqual([[sent.sha256, sent.sizeBytes]])
  })
})
