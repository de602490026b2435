import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { webhookFanOut } from '../domains/webhooks/webhooks.fan-out.ts'
import { createAudit } from '../kernel/audit/audit.ts'
import { createCredentialCache } from '../kernel/credential-cache.ts'
import { createJobs } from '../kernel/jobs/jobs.ts'
import { createOutbox } from '../kernel/outbox/outbox.ts'
import type { AppContext } from '../kernel/parts.ts'
import { migrations } from '../migrations/index.ts'
import { createClientAddress } from '../pipeline/client-address.ts'
import { type Clock, systemClock } from '../platform/clock.ts'
import { createKeyring } from '../platform/crypto/keyring.ts'
import { loadMasterKey } from '../platform/crypto/master-key.ts'
import type { MigratableDb } from '../platform/db/dialect.ts'
import { migrateUp } from '../platform/db/migrate.ts'
import { openDb } from '../platform/db/open-db.ts'
import { createFilmEngine } from '../platform/film/film-engine.ts'
import { createHttpOut } from '../platform/http-out/http-out.ts'
import { createIds } from '../platform/ids.ts'
import { measureLoad } from '../platform/load.ts'
import { createLog } from '../platform/log/log.ts'
import { createMail } from '../platform/mail/mail.ts'
import { createMetrics } from '../platform/metrics/metrics.ts'
import { createRateCounter } from '../platform/rate/rate-counter.ts'
import { createSocketHub } from '../platform/sockets/socket-hub.ts'
import { createSseHub } from '../platform/sse/sse-hub.ts'
import { BufferPool } from '../platform/storage/buffer-pool.ts'
import { LocalStore } from '../platform/storage/local.store.ts'
import type { Config } from './config.ts'
import { jobHandlers, jobLimits } from './job-handlers.ts'

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

/** What tests replace: time, the log, limits by the config, and so on. */
export type Overrides = Partial<Pick<AppContext, 'clock' | 'log' | 'answerCheck' | 'films' | 'httpOut' | 'store'>> & {
  readonly db?: MigratableDb
}

/** Technology: what knows nothing of the domains. */
const openPlatform = async (config: Config, overrides: Overrides) => {
  const { dataDir, databaseUrl, masterKey, webhookAllowPrivate } = config
  const clock: Clock = overrides.clock ?? systemClock
  const metrics = createMetrics()
  const onGroup = (size: number) => metrics.commit(size)
  const db = overrides.db ?? (await openDb({ dataDir, onGroup, ...(databaseUrl && { databaseUrl }) }))
  await migrateUp(db, migrations)
  const keyFile = join(dataDir, 'master.key')
  const keyring = createKeyring(await loadMasterKey({ keyFile, ...(masterKey !== undefined && { value: masterKey }) }))
  return {
    clock,
    metrics,
    db,
    keyring,
    newId: createIds(() => clock.now()),
    log: overrides.log ?? createLog({ level: config.logLevel, hiddenKeys: ['candidateLabel'] }),
    httpOut:
      overrides.httpOut ??
      createHttpOut({
        allowPrivate: webhookAllowPrivate,
        isInTransaction: () => db.inTransaction(),
        now: () => clock.now(),
      }),
    mail: createMail({
      smtpUrl: config.smtpUrl,
      outboxDir: join(dataDir, 'outbox'),
      from: config.mailFrom,
      now: () => clock.now(),
    }),
    load: measureLoad(),
    store: overrides.store ?? new LocalStore(join(dataDir, 'objects')),
  }
}

/** The composition root: makes everything from the config, in one place, and migrates the database. */
export const buildContext = async (config: Config, overrides: Overrides = {}): Promise<Built> => {
  const platform = await openPlatform(config, overrides)
  const { clock, db, keyring, log, metrics, newId } = platform
  const draining = new AbortController()
  // Job handlers take the finished context, which holds the jobs: the one knot, tied here.
  const late: { app?: AppContext } = {}
  const whole = (): AppContext => {
    if (!late.app) throw new Error('a job ran before the context was built')
    return late.app
  }
  const app: AppContext = {
    ...platform,
    config,
    version: serverVersion,
    draining: draining.signal,
    downloadKey: keyring.deriveKey('download-token'),
    films: overrides.films ?? createFilmEngine(config, clock),
    buffers: new BufferPool(4 * MiB + 65_536, 16),
    rate: createRateCounter(clock),
    audit: createAudit(clock),
    outbox: createOutbox({ db, clock, newId, fanOut: webhookFanOut(newId) }),
    jobs: createJobs({
      db,
      clock,
      log,
      newId,
      processId: newId('prc'),
      handlers: jobHandlers(whole),
      limits: jobLimits,
      onRun: (kind, outcome, seconds) => metrics.job(kind, outcome, seconds),
    }),
    streams: createSseHub({ clock, random: Math.random }),
    sockets: createSocketHub({ clock }),
    credentials: createCredentialCache(clock),
    addressOf: createClientAddress(config.trustedProxies),
    answerCheck: overrides.answerCheck ?? (config.production ? 'sampled' : 'declared'),
  }
  late.app = app
  return {
    app,
    drain: () => draining.abort(),
    close: async () => {
      app.load.stop()
      app.mail.close()
      await app.httpOut.close()
      if (!overrides.db) await db.close()
    },
  }
}
