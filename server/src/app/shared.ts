import { createHmac } from 'node:crypto'
import type { Config } from '../kernel/config.ts'
import { createPlaces, ownPlaces } from '../kernel/shared/places.ts'
import { createPresence } from '../kernel/shared/presence.ts'
import { blobsInTable } from '../kernel/shared/shared-blobs.store.ts'
import { blobsInRedis, createSharedBlobs } from '../kernel/shared/shared-blobs.ts'
import type { SharedMemory } from '../kernel/shared/shared-memory.ts'
import type { Clock } from '../platform/clock.ts'
import type { Keyring } from '../platform/crypto/keyring.ts'
import type { Db } from '../platform/db/types.ts'
import type { NewId } from '../platform/ids.ts'
import type { Log } from '../platform/log/log.ts'
import { createRateCounter, type RateCounter } from '../platform/rate/rate-counter.ts'
import { rateWindows } from '../platform/rate/rate-windows.store.ts'
import { keyOnOneNode, redisCounts } from '../platform/rate/redis-counts.ts'
import { createSharedLink } from '../platform/rate/shared-link.ts'
import { createSharedRateCounter } from '../platform/rate/shared-rate-counter.ts'
import { openRedis } from '../platform/redis/redis.ts'

interface SharedNeeds {
  readonly config: Config
  readonly clock: Clock
  readonly db: Db
  readonly keyring: Keyring
  readonly log: Log
  readonly processId: string
  readonly newId: NewId
}

/** Counting and remembering together: in Redis where there is one, else in a Postgres, and alone on SQLite. */
export const createShared = (needs: SharedNeeds): { rate: RateCounter; shared: SharedMemory } => {
  const { config, clock, db, keyring, log } = needs
  const presence = createPresence(needs)
  const places = db.servesMany ? createPlaces(needs, () => needs.newId('con')) : ownPlaces
  const key = keyring.deriveKey('shared-memory')
  // Addresses are counted; nobody who reads the counts learns them.
  const fingerprint = (text: string): string => createHmac('sha256', key).update(text).digest('base64url').slice(0, 22)
  const redis = config.redisUrl
    ? openRedis({ url: config.redisUrl, isCluster: config.redisCluster }, `integrity:${fingerprint('prefix')}:`, log)
    : undefined
  const counts = redis ? redisCounts(redis) : db.servesMany ? rateWindows(db) : undefined
  if (!counts)
    return {
      rate: createRateCounter(clock),
      shared: { state: () => 'own', presence, places, blobs: undefined, close: () => undefined },
    }
  const link = createSharedLink({
    clock,
    probe: () => counts.reserve(0, []),
    onAway: (error) => log.warn({ err: error }, 'what all processes count cannot be reached; this one goes on alone'),
  })
  return {
    rate: createSharedRateCounter({
      clock,
      counts,
      link,
      processes: () => presence.processes,
      fingerprint: redis?.isCluster ? (name) => keyOnOneNode(name, fingerprint) : fingerprint,
    }),
    shared: {
      state: () => (link.up ? 'shared' : 'away'),
      presence,
      places,
      blobs: createSharedBlobs(redis ? blobsInRedis(redis) : blobsInTable(db, () => clock.now()), {
        link,
        keyring,
        fingerprint,
      }),
      close: () => redis?.close(),
    },
  }
}
