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

  it('lose nothing and double nothing, whatever trouble comes over them', { timeout: 480_000 }, async () => {
    database = await freshDatabase('postgres')
    store = await startS3Double()
    // An older version beside is for `npm run scale`: a minute more.
    const { wrong, table, ...outcome } = await runScale({
      processes: 2,
      forMs: 0,
      troubleMs: 7000,
      bucket: store,
      older: undefined,
      env: { DATABASE_URL: database.databaseUrl!, DATA_DIR: database.dataDir },
    })
    // A string, since a summary shortens arrays.
    if (wrong.length > 0) throw new Error(`${wrong.join('; ')}\n${table}`)
    for (const { trouble, skipped } of outcome.phases)
      if (skipped !== undefined && trouble !== 'an old version beside') console.warn(`SKIPPED: ${trouble}: ${skipped}`)
    expect(store.objects.size).toBeGreaterThanOrEqual(outcome.evidence.kept)
    expect(outcome.interviews).toBeGreaterThan(8)
    expect(outcome.evidence.kept).toBe(outcome.evidence.sent)
    expect(outcome.events.delivered).toBe(outcome.events.published)
    // The troubles came: who brought nothing would find nothing lost.
    expect(table).toMatch(/^silent Postgres .*the database cannot be reached/m)
    const isSkipped = outcome.phases.some(({ trouble, skipped }) => trouble === 'full disk' && skipped !== undefined)
    if (!isSkipped) expect(table).toMatch(/^full disk .*the disk is full/m)
  })

  it('finish an upload at one that began at another, which was killed in the middle', async () => {
    database = await freshDatabase('postgres')
    const env = { DATABASE_URL: database.databaseUrl!, DATA_DIR: database.dataDir }
    const started = await startProcesses(2, env)
    processes = started.processes
    const [first, second] = processes.map(({ url }) => url)
    const sent = await handOver(first!, second!, started.key, () => processes[0]!.end('SIGKILL'))
    expect(await storedOf(second!, started.key, sent.sessionId)).toEqual([[sent.sha256, sent.sizeBytes]])
  })
})
