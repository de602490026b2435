import { join } from 'node:path'
import { createAuthParts } from '../domains/access/auth/auth.parts.ts'
import { createSignIns } from '../domains/access/auth/sign-ins/auth.sign-ins.parts.ts'
import { createSamlReader } from '../domains/access/sso/saml-reader.parts.ts'
import { watchConfiguration } from '../domains/administration/compliance/configuration-watch.parts.ts'
import { createOverdueEvidence } from '../domains/administration/retention/overdue.parts.ts'
import { createStorage } from '../domains/administration/storage/places.parts.ts'
import { deliveryQueue } from '../domains/integrations/deliveries/deliveries.queue.service.ts'
import { createReadiness } from '../domains/integrations/health/health.routes.ts'
import { createLastSeen } from '../domains/organisation/people/last-seen.parts.ts'
import { Verifications } from '../domains/recording/audit/verifications.parts.ts'
import { LivePreviews } from '../domains/recording/companions/previews.parts.ts'
import { bindOldEvidence } from '../domains/recording/evidence/binding.service.ts'
import { SessionKeys } from '../domains/recording/evidence/session-keys.parts.ts'
import { keptBytes } from '../domains/recording/evidence/usage.service.ts'
import { createLiveWatch, liveSocketHandler } from '../domains/recording/live/live-socket.service.ts'
import { createOpenUploads } from '../domains/recording/uploads/open-uploads.parts.ts'
import { createBundleTurns } from '../domains/review/bundles/bundles.turns.parts.ts'
import { createTranscriptGaps } from '../domains/review/transcripts/transcripts.parts.ts'
import { createChainSeal } from '../kernel/audit/audit.seal.ts'
import { type Announced, createAudit, sealUnsealed } from '../kernel/audit/audit.ts'
import type { Config } from '../kernel/config.ts'
import { createCredentialCache, credentialsChannel } from '../kernel/credential-cache.ts'
import { createJobs } from '../kernel/jobs/jobs.ts'
import { createOutbox, type FanOut } from '../kernel/outbox/outbox.ts'
import { createPictures } from '../kernel/pictures.ts'
import { createRecentRequests } from '../kernel/recent-requests/recent-requests.ts'
import { knownMasterKey, openRoot } from '../kernel/root-key.ts'
import { auditSeals } from '../migrations/0500-audit-seals.ts'
import { migrations } from '../migrations/index.ts'
import { createFailureCeiling } from '../pipeline/callers/ceilings.ts'
import { createClientAddress } from '../pipeline/callers/client-address.ts'
import type { PipelineParts } from '../pipeline/pipeline-parts.ts'
import { requestDbOf } from '../pipeline/request-db.ts'
import { Cache } from '../platform/cache.ts'
import { type Clock, systemClock } from '../platform/clock.ts'
import type { AgeIdentity } from '../platform/crypto/age-keys.ts'
import { KeyringError } from '../platform/crypto/keyring.ts'
import { loadMasterKey } from '../platform/crypto/master-key.ts'
import type { MigratableDb } from '../platform/db/dialect.ts'
import { type Migration, migrateUp } from '../platform/db/migrate.ts'
import { openDb } from '../platform/db/open-db.ts'
import type { ReplicaOutcome } from '../platform/db/postgres/replica.types.ts'
import { createSharedClock } from '../platform/db/shared-clock.ts'
import { createFilmEngine } from '../platform/film/film-engine.ts'
import { createHttpOut } from '../platform/http-out/http-out.ts'
import { createIds } from '../platform/ids.ts'
import { createLdap } from '../platform/ldap/ldap.ts'
import { measureLoad } from '../platform/load.ts'
import { createLog, type Log } from '../platform/log/log.ts'
import { createMail } from '../platform/mail/mail.ts'
import { createMetrics, type Metrics } from '../platform/metrics/metrics.ts'
import { createOidc } from '../platform/oidc/oidc.ts'
import { createPdfEngine } from '../platform/pdf/pdf-engine.ts'
import { createSocketHub } from '../platform/sockets/socket-hub.ts'
import { createSseHub } from '../platform/sse/sse-hub.ts'
import { BufferPool } from '../platform/storage/buffer-pool.ts'
import { LocalStore } from '../platform/storage/local.store.ts'
import { openTraces } from '../platform/traces/open-traces.ts'
import { tracedDb } from '../platform/traces/traced-db.ts'
import { tracedStore } from '../platform/traces/traced-store.ts'
import { createTxtRecords } from '../platform/txt-records.ts'
import { buildInfo } from './build-info.ts'
import { ConfigError } from './config.ts'
import { openDataFolder } from './data-folder.ts'
import { createErasers } from './erasers.ts'
import { addressOf, noDatabase, openExisting } from './existing-database.ts'
import { beginSeries } from './gauges.ts'
import { credentialSources } from './generated/credentials.ts'
import { fanOutsOfDomains } from './generated/fan-outs.ts'
import { jobDefinitions } from './jobs.ts'
import { logWakes } from './log-wakes.ts'
import { logSteps } from './migration-log.ts'
import { waitForOlder } from './older-processes.ts'
import { recordSources } from './record-sources.ts'
import { createShared } from './shared.ts'

const MiB = 1024 * 1024

export interface Built {
  readonly app: PipelineParts
  /** Says that the process is going: readiness turns off. */
  drain(): void
  close(): Promise<void>
}

/** What tests replace: time, the log, limits by the config, and so on. */
export type Overrides = Partial<
  Pick<PipelineParts, 'clock' | 'log' | 'answerCheck' | 'films' | 'httpOut' | 'ldap' | 'oidc' | 'txtRecords'>
> & {
  readonly db?: MigratableDb
  readonly store?: LocalStore
  /** Only on a database that a server has begun before: neither it nor a key is made. */
  readonly existing?: boolean
  /** For a command of the operator: it is refused where a server would wait, and is traced by nobody. */
  readonly isCommand?: boolean
  /** Beside another server on one SQLite folder, which is right for a moment only, as in a test. */
  readonly sharesFolder?: boolean
  /** Those of another release. */
  readonly migrations?: readonly Migration[]
  /** Told of each answered request. */
  readonly onRequest?: Metrics['request']
}

/** The master key of this database: made on the very first start, and never beside a database that knows one. */
const openKeyring = async (db: MigratableDb, config: Config, existing: boolean) => {
  const [keyFile, value] = [join(config.dataDir, 'master.key'), config.masterKey]
  try {
    const known = await knownMasterKey(db.reader)
    if (existing && known === undefined) throw noDatabase(config)
    return await openRoot(db, await loadMasterKey({ keyFile, ...(value && { value }), ...(known && { known }) }))
  } catch (error) {
    if (error instanceof KeyringError) throw new ConfigError(error.message)
    throw error
  }
}

/** Technology: what knows nothing of the domains. */
const openPlatform = async (config: Config, overrides: Overrides) => {
  const { dataDir, webhookAllowPrivate } = config
  const metrics = createMetrics({ onRequest: overrides.onRequest })
  const log = overrides.log ?? createLog({ level: config.logLevel, hiddenKeys: ['candidateLabel'] })
  const existing = overrides.existing === true
  const told = {
    onGroup: (size: number) => metrics.commit(size),
    onReplicaRead: (outcome: ReplicaOutcome) => metrics.replicaRead(outcome),
    onWakes: logWakes(log, config),
  }
  const open = () => openDb({ ...(overrides.isCommand ? addressOf(config) : config), ...told })
  if (!existing) await openDataFolder(dataDir)
  const db = overrides.db ?? (existing ? await openExisting(config, open) : await open())
  if (existing) await openDataFolder(dataDir)
  const shared = createSharedClock(db)
  const clock: Clock = overrides.clock ?? shared
  const steps = overrides.migrations ?? migrations
  await shared.compare()
  await waitForOlder({ db, clock, log, isCommand: overrides.isCommand === true })
  const applied = await migrateUp(db, steps, { onStep: logSteps(log, steps.length) })
  const keyring = await openKeyring(db, config, existing)
  const seal = createChainSeal(keyring)
  if (applied.includes(auditSeals.name)) await sealUnsealed(db, seal)
  const newId = createIds(() => clock.now())
  const outward = { allowPrivate: webhookAllowPrivate, isInTransaction: () => db.inTransaction() }
  const httpOut = overrides.httpOut ?? createHttpOut(outward)
  // A command of an admin is nobody's request.
  const traces = await openTraces(overrides.isCommand ? undefined : config.traces, {
    version: buildInfo().version,
    log,
  })
  return {
    clock,
    clockSkew: shared,
    metrics,
    traces,
    db: tracedDb(db, traces),
    reader: db.reader,
    keyring,
    seal,
    newId,
    log,
    httpOut,
    ldap: overrides.ldap ?? createLdap(outward),
    oidc: overrides.oidc ?? createOidc({ ...outward, httpOut, now: () => clock.now() }),
    txtRecords: overrides.txtRecords ?? createTxtRecords(config.dnsServers),
    mail: createMail({
      smtpUrl: config.smtpUrl,
      outboxDir: join(dataDir, 'outbox'),
      from: config.mailFrom,
      now: () => clock.now(),
    }),
    load: measureLoad(),
    ...createShared({ config, clock, db, keyring, log, newId, processId: newId('prc') }),
    sockets: createSocketHub({ clock }),
    credentials: createCredentialCache(clock, () => db.notify(credentialsChannel)),
    local: overrides.store ?? new LocalStore(join(dataDir, 'objects')),
  }
}

/** What domains keep in the memory of the process. */
const openDomains = (
  platform: Awaited<ReturnType<typeof openPlatform>>,
  { config, draining }: { readonly config: Config; readonly draining: AbortSignal },
) => {
  const { clock, db, log, sockets, credentials, keyring, local, httpOut, shared, traces } = platform
  const openUploads = createOpenUploads({ log, draining })
  const sessionKeys = new SessionKeys(platform)
  const previews = new LivePreviews(() => clock.now(), shared)
  const lastSeen = createLastSeen({ clock, db, log })
  const storage = createStorage({ db, keyring, local, clock, http: httpOut, now: () => systemClock.now() })
  return {
    ...createAuthParts(),
    overdueEvidence: createOverdueEvidence({ clock, config, reader: db.reader }),
    store: tracedStore(storage.store, traces),
    storagePlaces: storage.storagePlaces,
    deliveryQueue,
    identities: new Cache<AgeIdentity>({ limit: 1000 }),
    keptBytes,
    liveWatch: createLiveWatch({ clock, db, log, sockets }),
    openUploads,
    sessionKeys,
    erasers: createErasers({ openUploads, previews, sessionKeys }),
    previews,
    recentRequests: createRecentRequests({ clock, db, log }),
    recordSources,
    verifications: new Verifications(),
    bundleTurns: createBundleTurns(),
    samlReader: createSamlReader(),
    transcriptGaps: createTranscriptGaps(),
    readiness: createReadiness(),
    credentialSources,
    lastSeen,
    signIns: createSignIns({ config, reader: db.reader, clock, credentials, lastSeen }),
    liveSocket: liveSocketHandler,
  }
}

const inTurn =
  (all: readonly FanOut[]): FanOut =>
  async (...event) => {
    for (const one of all) await one(...event)
  }

/** A log that is kept elsewhere keeps what was signed. */
const logCheckpoint =
  (log: Log) =>
  ({ orgId, size, note }: Announced): void => {
    if (note === undefined) log.error({ orgId, size }, 'the head of this audit chain was written by somebody else')
    else log.info({ orgId, size, note }, 'audit checkpoint')
  }

/** The composition root: makes everything from the config, in one place, and migrates the database. */
export const buildContext = async (config: Config, overrides: Overrides = {}): Promise<Built> => {
  const platform = await openPlatform(config, overrides)
  const { clock, db, keyring, newId } = platform
  await bindOldEvidence(platform)
  const draining = new AbortController()
  const jobs = createJobs(platform, jobDefinitions)
  beginSeries(platform)
  const app: PipelineParts = {
    ...platform,
    ...openDomains(platform, { config, draining: draining.signal }),
    failures: createFailureCeiling(platform.rate, config.limits),
    pictures: createPictures(platform.rate, config.limits),
    runningKeys: new Set(),
    requestDb: requestDbOf(db),
    config,
    version: buildInfo().version,
    build: buildInfo(),
    draining: draining.signal,
    downloadKey: keyring.deriveKey('download-token'),
    films: overrides.films ?? createFilmEngine(config, clock),
    pdfs: createPdfEngine(),
    buffers: new BufferPool(4 * MiB + 65_536, 6),
    audit: watchConfiguration(createAudit({ clock, keyring, announce: logCheckpoint(platform.log) }), { clock }),
    outbox: createOutbox({
      db,
      clock,
      newId,
      traces: platform.traces,
      fanOut: inTurn(fanOutsOfDomains.map((create) => create({ clock, jobs, keyring, newId }))),
    }),
    jobs,
    streams: createSseHub({ clock, random: Math.random }),
    addressOf: createClientAddress(config.trustedProxies, (isTrusted) => platform.metrics.forwarded(isTrusted)),
    answerCheck: overrides.answerCheck ?? (config.production ? 'sampled' : 'declared'),
  }
  return {
    app,
    drain: () => draining.abort(),
    close: async () => {
      app.load.stop()
      app.clockSkew.stop()
      for (const part of [app.mail, app.shared, app.storagePlaces]) part.close()
      await Promise.all([app.httpOut.close(), app.traces.stop()])
      if (!overrides.db) await db.close()
    },
  }
}
