import type { KeyObject } from 'node:crypto'
import type { Actor } from '../platform/actor.ts'
import type { Audit } from '../platform/audit/audit.types.ts'
import type { Clock } from '../platform/clock.ts'
import type { Keyring } from '../platform/crypto/keyring.ts'
import type { MigratableDb } from '../platform/db/dialect.ts'
import type { HttpOut } from '../platform/http-out/http-out.ts'
import type { NewId } from '../platform/ids.ts'
import type { Jobs } from '../platform/jobs/jobs.ts'
import type { Load } from '../platform/load.ts'
import type { Log } from '../platform/log/log.ts'
import type { Metrics } from '../platform/metrics/metrics.ts'
import type { Outbox } from '../platform/outbox/outbox.types.ts'
import type { RateCounter } from '../platform/rate/rate-counter.ts'
import type { SseHub } from '../platform/sse/sse-hub.ts'
import type { BufferPool } from '../platform/storage/buffer-pool.ts'
import type { ObjectStore } from '../platform/storage/types.ts'
import type { Config } from './config.ts'
import type { CredentialCache } from './credential-cache.ts'
import type { AnswerCheck } from './validate.ts'

/** Resolves a signed-in portal user from the request's cookies. Refuses everybody until portal login exists. */
export interface PortalAuthenticator {
  authenticate(headers: Readonly<Record<string, string | string[] | undefined>>): Promise<Actor | undefined>
}

/** Everything a handler, a job or a stream may use, made in one place. */
export interface AppContext {
  readonly config: Config
  readonly version: string
  readonly db: MigratableDb
  readonly clock: Clock
  readonly newId: NewId
  readonly log: Log
  readonly metrics: Metrics
  readonly keyring: Keyring
  readonly downloadKey: KeyObject
  readonly store: ObjectStore
  /** Reused buffers of the uploads. */
  readonly buffers: BufferPool
  readonly rate: RateCounter
  readonly httpOut: HttpOut
  readonly audit: Audit
  readonly outbox: Outbox
  readonly jobs: Jobs
  /** Every open event stream of this process. */
  readonly streams: SseHub
  readonly load: Load
  readonly portal: PortalAuthenticator
  readonly credentials: CredentialCache
  readonly answerCheck: AnswerCheck
  /** Set once SIGTERM has come: readiness is off, streams close. */
  readonly draining: AbortSignal
}
