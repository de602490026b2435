import type { Keyring } from '../../platform/crypto/keyring.ts'
import type { SharedLink } from '../../platform/rate/shared-link.ts'
import type { Redis } from '../../platform/redis/redis.ts'

/** Where sealed texts lie for a moment. Everything rejects while it cannot be reached. */
export interface SealedBlobs {
  keep(key: string, sealed: string, ms: number): Promise<void>
  get(key: string): Promise<string | undefined>
  forget(key: string): Promise<void>
}

/** Bytes that any process may show, for a moment. Rejects while the shared memory is away. */
export interface SharedBlobs {
  keep(name: string, bytes: Uint8Array, ms: number): Promise<void>
  get(name: string): Promise<Buffer | undefined>
  forget(name: string): Promise<void>
}

export const blobsInRedis = (redis: Redis): SealedBlobs => ({
  keep: (key, sealed, ms) => redis.keep(`blob:${key}`, sealed, ms),
  get: (key) => redis.get(`blob:${key}`),
  forget: (key) => redis.forget(`blob:${key}`),
})

/** Sealed under the master key: what shows it elsewhere has that key, and a copy of the memory has not. */
export const createSharedBlobs = (
  blobs: SealedBlobs,
  { link, keyring, fingerprint }: { link: SharedLink; keyring: Keyring; fingerprint: (name: string) => string },
): SharedBlobs => {
  const context = (name: string): string => `shared-blob:${name}`
  return {
    keep: (name, bytes, ms) => link.ask(() => blobs.keep(fingerprint(name), keyring.wrap(bytes, context(name)), ms)),
    async get(name) {
      const sealed = await link.ask(() => blobs.get(fingerprint(name)))
      return sealed === undefined ? undefined : keyring.unwrap(sealed, context(name))
    },
    forget: (name) => link.ask(() => blobs.forget(fingerprint(name))),
  }
}
