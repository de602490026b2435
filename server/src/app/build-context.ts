import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { webhookFanOut } from '../domains/webhooks/webhooks.fan-out.ts'
import { migrations } from '../migrations/index.ts'
import { createAudit } from '../platform/audit/audit.ts'
import { type Clock, systemClock } from '../platform/clock.ts'
import { createKeyring } from '../platform/crypto/keyring.ts'
import { loadMasterKey } from '../platform/crypto/master-key.ts'
import type { MigratableDb } from '../platform/db/dialect.ts'
import { migrateUp } from '../platform/db/migrate.ts'
import { openDb } from '../platform/db/open-db.ts'
import { createHttpOut } from '../platform/http-out/http-out.ts'
import { createIds } from '../platform/ids.ts'
import { createJobs } from '../platform/jobs/jobs.ts'
import { measureLoad } from '../platform/load.ts'
import { createLog } from '../platform/log/log.ts'
import { createMetrics } from '../platform/metrics/metrics.ts'
import { createOutbox } from '../platform/outbox/outbox.ts'
import { createRateCounter } from '../platform/rate/rate-counter.ts'
import { createSseHub } from '../platform/sse/sse-hub.ts'
import { BufferPool } from '../platform/storage/buffer-pool.ts'
import { LocalStore } from '../platform/storage/local.store.ts'
import type { Config } from './config.ts'
import type { AppContext } from './context.ts'
import { createCredentialCache } from './credential-cache.ts'
import { jobHandlers } from './job-handlers.ts'

const MiB = 1024 * 1024

/** The version of the server, from its package. */
export const serverVersion: string = (
  JSON.parse(readFileSync(new URL('../../package.json', import.meta.url), 'utf8')) as { version: string }
).version

export interface Built {
  readonly app: AppContext
  /** Says that the process is going: readiness turns off. */
  drain(): void
  close(): Promise<void>
}

/** What tests replace: time, the log, the portal's authenticator, limits by the config, and so on. */
export type Overrides = Partial<Pick<AppContext, 'clock' | 'log' | 'portal' | 'answerCheck' | 'httpOut' | 'store'>> & {
  readonly db?: MigratableDb
}

/** Refuses everybody: no portal user can exist until portal login does. */
const noPortal: AppContext['portal'] = { authenticate: async () => undefined }

/** The composition root: makes everything from the config, in one place, and migrates the database. */
export const buildContext = async (config: Config, overrides: Overrides = {}): Promise<Built> => {
  const clock: Clock = overrides.clock ?? systemClock
  const log = overrides.log ?? createLog({ level: config.logLevel, hiddenKeys: ['candidateLabel'] })
  const metrics = createMetrics()
  const { dataDir, databaseUrl } = config
  const db = overrides.db ?? (await openDb({ dataDir, onGroup: metrics.commit, ...(databaseUrl && { databaseUrl }) }))
  await migrateUp(db, migrations)
  const master = await loadMasterKey({
    keyFile: join(config.dataDir, 'master.key'),
    ...(config.masterKey === undefined ? {} : { value: config.masterKey }),
  })
  const keyring = createKeyring(master)
  const newId = createIds(() => clock.now())
  const httpOut =
    overrides.httpOut ??
    createHttpOut({
      allowPrivate: config.webhookAllowPrivate,
      isInTransaction: () => db.inTransaction(),
      now: () => clock.now(),
    })
  const draining = new AbortController()
  const load = measureLoad()
  const processId = newId('prc')
  const parts = {
    config,
    version: serverVersion,
    db,
    clock,
    newId,
    log,
    metrics,
    keyring,
    httpOut,
    draining: draining.signal,
  }
  // Job handlers take the finished context, which holds the jobs: the one knot, tied here.
  const late: { app?: AppContext } = {}
  const whole = (): AppContext => {
    if (!late.app) throw new Error('a job ran before the context was built')
    return late.app
  }
  const app: AppContext = {
    ...parts,
    downloadKey: keyring.deriveKey('download-token'),
    store: overrides.store ?? new LocalStore(join(config.dataDir, 'objects')),
    buffers: new BufferPool(4 * MiB + 65_536, 16),
    rate: createRateCounter(clock),
    audit: createAudit(clock),
    outbox: createOutbox({ db, clock, newId, fanOut: webhookFanOut(newId) }),
    jobs: createJobs({
      db,
      clock,
      log,
      newId,
      processId,
      handlers: jobHandlers(whole),
      onRun: (kind, outcome, seconds) => metrics.job(kind, outcome, seconds),
    }),
    load,
    streams: createSseHub({ clock, random: Math.random }),
    portal: overrides.portal ?? noPortal,
    credentials: createCredentialCache(clock),
    answerCheck: overrides.answerCheck ?? 'declared',
  }
  late.app = app
  return {
    app,
    drain: () => draining.abort(),
    close: async () => {
      load.stop()
      await httpOut.close()
      if (!overrides.db) await db.close()
    },
  }
}
