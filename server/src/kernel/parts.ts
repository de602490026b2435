import type { KeyObject } from 'node:crypto'
import type { Clock } from '../platform/clock.ts'
import type { Keyring } from '../platform/crypto/keyring.ts'
import type { MigratableDb } from '../platform/db/dialect.ts'
import type { SharedClock } from '../platform/db/shared-clock.ts'
import type { Reader } from '../platform/db/types.ts'
import type { FilmEngine } from '../platform/film/film-engine.ts'
import type { HttpOut } from '../platform/http-out/http-out.ts'
import type { NewId } from '../platform/ids.ts'
import type { Ldap } from '../platform/ldap/ldap.ts'
import type { Load } from '../platform/load.ts'
import type { Log } from '../platform/log/log.ts'
import type { Mail } from '../platform/mail/mail.ts'
import type { Metrics } from '../platform/metrics/metrics.ts'
import type { Oidc } from '../platform/oidc/oidc.ts'
import type { PdfEngine } from '../platform/pdf/pdf-engine.ts'
import type { RateCounter } from '../platform/rate/rate-counter.ts'
import type { SocketHub } from '../platform/sockets/socket-hub.ts'
import type { SseHub } from '../platform/sse/sse-hub.ts'
import type { BufferPool } from '../platform/storage/buffer-pool.ts'
import type { ObjectStore } from '../platform/storage/types.ts'
import type { Traces } from '../platform/traces/traces.ts'
import type { ChainSeal } from './audit/audit.seal.ts'
import type { Audit } from './audit/audit.types.ts'
import type { Config } from './config.ts'
import type { CredentialCache } from './credential-cache.ts'
import type { FailureCeiling } from './failure-ceiling.ts'
import type { Jobs } from './jobs.types.ts'
import type { Outbox } from './outbox/outbox.types.ts'
import type { Pictures } from './pictures.ts'
import type { SessionEraser } from './session-eraser.ts'
import type { RecordSource } from './session-records.ts'
import type { SharedMemory } from './shared/shared-memory.ts'

/**
 * What handlers, jobs and streams may use, made in one place. A domain that keeps something in the memory of the process
 * adds it here by declaration.
 */
export interface Parts {
  readonly config: Config
  readonly version: string
  /** How this machine's clock is compared with the database's. */
  readonly clockSkew: Pick<SharedClock, 'compare' | 'skewMs' | 'stop'>
  /** The version, the commit it was built from, and its newest migration. */
  readonly build: { readonly version: string; readonly commit: string; readonly migration: string }
  readonly db: MigratableDb
  /** Where reads go: committed rows, or, inside a transaction, the transaction. */
  readonly reader: Reader
  readonly clock: Clock
  readonly newId: NewId
  readonly log: Log
  readonly metrics: Metrics
  readonly traces: Traces
  readonly keyring: Keyring
  /** Of the heads of audit chains. */
  readonly seal: ChainSeal
  readonly downloadKey: KeyObject
  readonly store: ObjectStore
  /** Reused buffers of the uploads. */
  readonly buffers: BufferPool
  readonly pictures: Pictures
  readonly films: FilmEngine
  readonly pdfs: PdfEngine
  readonly rate: RateCounter
  /** What the processes on one database know together. */
  readonly shared: SharedMemory
  readonly httpOut: HttpOut
  readonly ldap: Ldap
  readonly oidc: Oidc
  readonly audit: Audit
  readonly outbox: Outbox
  readonly jobs: Jobs
  readonly mail: Mail
  /** Every open event stream of this process. */
  readonly streams: SseHub
  /** Every live socket of this process. */
  readonly sockets: SocketHub
  readonly load: Load
  readonly credentials: CredentialCache
  readonly failures: FailureCeiling
  /** Every domain that keeps something of a session, in the order in which they lock. */
  readonly erasers: readonly SessionEraser[]
  /** What audit rows commit to of a session, domain by domain. */
  readonly recordSources: readonly RecordSource[]
  /** Set once SIGTERM has come: readiness is off, streams close. */
  readonly draining: AbortSignal
}
