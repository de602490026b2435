import { ServiceError } from '@integrity/protocol'
import type { Needs } from '../../../kernel/call.ts'
import type { HandlerMap } from '../../../kernel/handler.ts'
import { checkRoot, rewriteMasterKeyName } from '../../../kernel/root-key.ts'
import { migrations } from '../../../migrations/index.ts'
import { KeyringError } from '../../../platform/crypto/keyring.ts'
import { DatabaseUnreachable } from '../../../platform/db/errors.ts'
import { pendingMigrations } from '../../../platform/db/migrate.ts'
import { type OutageCause, outageOf } from '../../../platform/db/outage.ts'
import { ReplicaUnusable } from '../../../platform/db/postgres/replica.types.ts'
import { mostSkewMs } from '../../../platform/db/shared-clock.ts'
import { inTime } from '../../../platform/in-time.ts'

type Probed = Needs<
  | 'clock'
  | 'clockSkew'
  | 'config'
  | 'db'
  | 'draining'
  | 'keyring'
  | 'log'
  | 'metrics'
  | 'overdueEvidence'
  | 'readiness'
  | 'shared'
  | 'storagePlaces'
  | 'store'
>

const checks = {
  process: async (call) => {
    if (call.draining.aborted) throw new Error('the process is shutting down')
  },
  database: async (call) => {
    await call.db.ping()
    // Only a write tells that there is room for one.
    await rewriteMasterKeyName(call.db)
  },
  migrations: async (call) => {
    const pending = await pendingMigrations(call.db, migrations)
    if (pending.length > 0) throw new Error(`not applied: ${pending.join(', ')}`)
  },
  clock: async ({ clockSkew }) => {
    await clockSkew.compare()
    const seconds = Math.round(clockSkew.skewMs / 1000)
    if (Math.abs(clockSkew.skewMs) <= mostSkewMs) return
    const side = seconds > 0 ? 'ahead of' : 'behind'
    throw new Error(`the clock of this machine is ${Math.abs(seconds)} s ${side} the database's`)
  },
  store: (call) => call.store.probe(),
  replica: async ({ db }) => {
    const found = await db.replica?.look().catch((cause: unknown) => {
      const words = cause instanceof ReplicaUnusable ? cause.message : 'the replica does not answer'
      throw new ReplicaPassedOver(words)
    })
    if (found?.isCurrent === false)
      throw new ReplicaPassedOver(`the replica is behind by ${found.bytesBehind} bytes of the log`)
  },
  masterKey: async (call) => {
    await checkRoot(call.db.reader, call.keyring)
    const probe = Buffer.from('ready')
    if (!call.keyring.unwrap(call.keyring.wrap(probe, 'readiness'), 'readiness').equals(probe))
      throw new Error('does not open what it wraps')
  },
} satisfies Record<string, (call: Probed) => Promise<void>>

/** In the words of the line: what it says is no secret, and nobody is refused because of it. */
class ReplicaPassedOver extends Error {
  override readonly name = 'ReplicaPassedOver'
  constructor(words: string) {
    super(`${words}; lists and reports are read from the primary`)
  }
}

/** Probing the store writes a file; load balancers ask often, so an answer is good for two seconds. */
const freshMs = 2000

/** A part that does not answer by then cannot be used: whoever asks has a deadline too, and is to be told by then. */
const patienceMs = 2000

/** As what the silence of a part is told, where that part is not the database. */
const silentParts = new Map<string, (silence: Error) => Error>([
  ['store', (silence) => silence],
  ['process', (silence) => silence],
  ['replica', () => new ReplicaPassedOver('the replica does not answer')],
])

/** What is said of a part that has not answered in time. */
const silenceOf = (path: string): Error => {
  const silence = new Error(`no answer within ${patienceMs} ms`)
  return silentParts.get(path)?.(silence) ?? new DatabaseUnreachable(silence)
}

interface Failure {
  readonly path: string
  readonly message: string
  readonly cause: OutageCause | undefined
}

interface Readiness {
  at: number
  failures: readonly Failure[]
}

declare module '../../../kernel/parts.ts' {
  interface Parts {
    /** What was found at the last look. */
    readonly readiness: Readiness
  }
}

/** Never looked at yet. */
export const createReadiness = (): Readiness => ({ at: Number.NEGATIVE_INFINITY, failures: [] })

const isOwnWords = (path: string, error: unknown): error is Error =>
  path === 'process' ||
  path === 'migrations' ||
  path === 'clock' ||
  error instanceof KeyringError ||
  error instanceof ReplicaPassedOver

const failuresOf = async (call: Probed) => {
  const { readiness } = call
  if (!call.draining.aborted && call.clock.now() - readiness.at < freshMs) return readiness.failures
  const looks = Object.entries(checksOf(call)).map(([path, check]) => failureOf(call, path, check))
  const [, ...found] = await Promise.all([firstCount(call), ...looks])
  const failures = found.filter((failure) => failure !== undefined)
  Object.assign(readiness, { at: call.clock.now(), failures })
  return failures
}

/** The first answer has the count already, unless that takes too long. */
const firstCount = async ({ overdueEvidence }: Probed): Promise<undefined> => {
  if (overdueEvidence.lastCount !== undefined) return
  await inTime(overdueEvidence.count(), patienceMs, () => silenceOf('process')).catch(() => undefined)
}

const failureOf = async (
  call: Probed,
  path: string,
  check: (call: Probed) => Promise<void>,
): Promise<Failure | undefined> => {
  try {
    await inTime(check(call), patienceMs, () => silenceOf(path))
    return undefined
  } catch (error) {
    call.log.warn({ err: error, check: path }, 'not ready')
    const outage = outageOf(error)
    if (outage) call.metrics.outage(outage.cause)
    const message = outage?.words ?? (isOwnWords(path, error) ? error.message : 'cannot be used')
    return { path, message, cause: outage?.cause }
  }
}

/**
 * All processes have the same disk, and on a full one reading goes on, as does what organisations keep in buckets: a balancer
 * that took the process away would take that, too. Who writes is refused with the cause. What the replica cannot answer, the primary
 * does.
 */
const isLimit = ({ cause, path }: Failure): boolean => cause === 'disk_full' || path === 'replica'

/** Organisations' buckets are no part of this process: who needs one that is silent is refused, and nobody else. */
const silentBuckets = ({ storagePlaces }: Probed) => {
  const count = storagePlaces.silentBuckets
  return count === 0 ? [] : [{ path: 'buckets', message: `organisations' buckets that do not answer: ${count}` }]
}

/** Nobody is refused because of it: what others have written is found by looking. */
const unheard = ({ config, db }: Probed) => {
  if (db.hearsOthers()) return []
  const at = config.databaseDirectUrl === undefined ? 'DATABASE_URL' : 'DATABASE_DIRECT_URL'
  const message = `other processes are not heard at the address of ${at}: streams and jobs come up to seconds later`
  return [{ path: 'wakeUps', message }]
}

/** Without the replica, where none is configured. */
const checksOf = (call: Probed) => {
  const { replica, ...others } = checks
  return call.db.replica ? { ...others, replica } : others
}

const told = ({ path, message }: Failure) => ({ path, message })

export const healthRoutes = {
  'health.live': {
    read: async (call) => ({
      status: 'ok' as const,
      version: call.version,
      commit: call.build.commit,
      migration: call.build.migration,
      uptimeSeconds: Math.floor(process.uptime()),
    }),
  },
  'health.ready': {
    read: async (call) => {
      const found = await failuresOf(call)
      const failures = found.filter((failure) => !isLimit(failure)).map(told)
      if (failures.length > 0)
        throw new ServiceError('service_unavailable', `not ready: ${failures.map((f) => f.path).join(', ')}`, {
          details: failures,
        })
      const limited = [...found.map(told), ...silentBuckets(call), ...unheard(call)]
      const working = Object.keys(checksOf(call)).filter((name) => !limited.some(({ path }) => path === name))
      const overdueObjects = call.overdueEvidence.lastCount
      return {
        status: 'ready' as const,
        checks: Object.fromEntries(working.map((name) => [name, 'ok' as const])),
        ...(limited.length > 0 && { limited }),
        ...(overdueObjects !== undefined && { overdueObjects }),
        sharedState: call.shared.state(),
      }
    },
  },
} satisfies Partial<HandlerMap>
