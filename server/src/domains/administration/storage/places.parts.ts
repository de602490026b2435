import { createHash } from 'node:crypto'
import { Cache } from '../../../platform/cache.ts'
import type { Clock } from '../../../platform/clock.ts'
import type { Keyring } from '../../../platform/crypto/keyring.ts'
import type { Db } from '../../../platform/db/types.ts'
import type { HttpOut } from '../../../platform/http-out/http-out.ts'
import { Pulse } from '../../../platform/pulse.ts'
import type { LocalStore } from '../../../platform/storage/local.store.ts'
import { type OrgPlaces, OrgStore } from '../../../platform/storage/org.store.ts'
import { AzureContainer } from '../../../platform/storage/remote/azure.container.ts'
import { type RemoteOptions, silentProvider } from '../../../platform/storage/remote/remote.request.ts'
import { RemoteStore } from '../../../platform/storage/remote/remote.store.ts'
import type { Bucket } from '../../../platform/storage/remote/remote.types.ts'
import { S3Bucket } from '../../../platform/storage/remote/s3.bucket.ts'
import type { ObjectPlace } from '../../../platform/storage/types.ts'
import { insertRemoval } from './migrations.store.ts'
import { listPlaces } from './places.store.ts'
import type { PlaceRow, PlaceSecrets, PlaceSettings } from './storage.types.ts'

declare module '../../../kernel/parts.ts' {
  interface Parts {
    readonly storagePlaces: StoragePlaces
  }
}

/** A silent bucket that nobody asked for is left alone after so long. */
const forgetMs = 60_000
/** Buckets whose pulse is known, in use or tried out. */
const mostPulses = 10_000
/** What another process has chosen is known here so soon. */
const freshMs = 5_000
/** A place that was left is looked at so long after it was found empty: writes that began before may end after. */
export const lateWritesMs = 25 * 3_600_000

interface PlacesOptions {
  readonly db: Db
  readonly keyring: Pick<Keyring, 'unwrap'>
  readonly http: Pick<HttpOut, 'request'>
  readonly local: LocalStore
  readonly clock: Clock
  /** The real time, for signatures. */
  readonly now: () => number
}

/** How long a call to a provider may take before it fails. */
type Pace = Pick<RemoteOptions, 'retryMs' | 'silenceMs' | 'tries'>

export const secretsContext = (orgId: string, placeId: string): string => `storage:${orgId}:${placeId}`

/** The places of organisations, ready to be used. */
class StoragePlaces {
  readonly #options: PlacesOptions
  readonly #known: Cache<Promise<OrgPlaces | undefined>>
  readonly #pulses = new Cache<Pulse>({ limit: mostPulses })
  /** Of which nobody heard anything at the last look. */
  readonly #silent = new Map<string, Pulse>()

  constructor(options: PlacesOptions) {
    this.#options = options
    this.#known = new Cache({ limit: 10_000, age: { ms: freshMs, now: () => options.clock.now() } })
  }

  /** Undefined where nobody has ever chosen one: then it is the local one. */
  placesOf(orgId: string, fresh: boolean): Promise<OrgPlaces | undefined> {
    if (fresh) this.#known.delete(orgId)
    return this.#known.getOrMake(orgId, () => this.#read(orgId))
  }

  forget(orgId: string): void {
    this.#known.delete(orgId)
  }

  open(settings: PlaceSettings, secrets: PlaceSecrets | undefined, pace: Pace = {}): ObjectPlace {
    const { http, local, now } = this.#options
    if (settings.provider === 'local') return local
    const pulse = this.#pulseOf(settings, secrets)
    return new RemoteStore(bucketOf(settings, secrets, { http, now, pulse, ...pace }), settings.prefix)
  }

  openRow(orgId: string, { id, settings, wrappedSecrets }: PlaceRow, pace: Pace = {}): ObjectPlace {
    if (wrappedSecrets === null) return this.open(settings, undefined, pace)
    const plain = this.#options.keyring.unwrap(wrappedSecrets, secretsContext(orgId, id)).toString('utf8')
    return this.open(settings, JSON.parse(plain) as PlaceSecrets, pace)
  }

  /** How many buckets this process knows to be silent. */
  get silentBuckets(): number {
    return this.#silent.size
  }

  /** Asks none of them any more. */
  close(): void {
    for (const pulse of this.#silent.values()) pulse.close()
  }

  /** One for each bucket and credentials: a provider may leave one account waiting and answer another. */
  #pulseOf(settings: RemoteSettings, secrets: PlaceSecrets | undefined): Pulse {
    const { http, now } = this.#options
    const { prefix: _, ...bucket } = settings
    const key = createHash('sha256')
      .update(JSON.stringify([bucket, secrets]))
      .digest('base64')
    return this.#pulses.getOrMake(key, () => {
      const pulse: Pulse = new Pulse({
        ask: (signal) => bucketOf(settings, secrets, { http, now }).answers(signal),
        failure: silentProvider,
        forgetMs,
        onChange: (isSilent) => (isSilent ? this.#silent.set(key, pulse) : this.#silent.delete(key)),
      })
      return pulse
    })
  }

  async #read(orgId: string): Promise<OrgPlaces | undefined> {
    const rows = await listPlaces(this.#options.db.reader, orgId)
    if (rows.length === 0) return undefined
    const late = this.#options.clock.now() - lateWritesMs
    const used = rows.filter((row) => mayHold(row, late))
    const [current, ...others] = used.map((row) => this.openRow(orgId, row))
    return { current: current ?? this.#options.local, others, moving: others.length > 0 }
  }
}

type RemoteSettings = Exclude<PlaceSettings, { provider: 'local' }>

const bucketOf = (settings: RemoteSettings, secrets: PlaceSecrets | undefined, options: RemoteOptions): Bucket => {
  if (settings.provider === 's3' && secrets && 'accessKeyId' in secrets)
    return new S3Bucket({ ...settings, ...secrets }, options)
  if (settings.provider === 'azure' && secrets && 'key' in secrets)
    return new AzureContainer({ ...settings, ...secrets }, options)
  throw new Error('these are not the secrets of this provider')
}

/** Whether something may still are there, or come to be there. */
export const mayHold = ({ inUse, emptiedAt, replacedAt }: PlaceRow, late: number): boolean =>
  inUse || emptiedAt === null || (replacedAt ?? 0) > late

/** The one store of the service, and the places behind it. */
export const createStorage = (options: PlacesOptions) => {
  const { db, local, clock } = options
  const storagePlaces = new StoragePlaces(options)
  const store = new OrgStore({
    local,
    placesOf: (orgId, fresh) => storagePlaces.placesOf(orgId, fresh),
    noteRemoval: (orgId, key) => db.transact((tx) => insertRemoval(tx, orgId, key, clock.now())),
  })
  return { store, storagePlaces }
}
