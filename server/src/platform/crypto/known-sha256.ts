import { createHash, type Hash } from 'node:crypto'

const known = new WeakMap<Buffer, Hash>()

/** Keeps a hash that took in these bytes while they arrived, for whoever is given this very buffer. */
export const rememberSha256 = (bytes: Buffer, hash: Hash): void => {
  known.set(bytes, hash)
}

/** A SHA-256 that has taken in these bytes, to go on with. They must not have changed since they were remembered. */
export const sha256After = (bytes: Buffer): Hash => known.get(bytes)?.copy() ?? createHash('sha256').update(bytes)

/** SHA-256 in hex, as `sha256After`. */
export const sha256Of = (bytes: Buffer): string => sha256After(bytes).digest('hex')
