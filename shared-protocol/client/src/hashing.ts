import { sha256 } from '@noble/hashes/sha2.js'
import { bytesToHex } from '@noble/hashes/utils.js'

export interface Hasher {
  update(bytes: Uint8Array): void
  /** Lower-case hex. The hasher cannot be used after it. */
  digest(): string
}

interface NodeCrypto {
  createHash(name: string): { update(bytes: Uint8Array): unknown; digest(form: 'hex'): string }
}
interface NodeLike {
  readonly process?: { getBuiltinModule?(name: string): NodeCrypto | undefined }
}

/** Node's own hash where this runs on Node (20.16 and newer), without an import that a page could not load. */
const nodeCrypto = (): NodeCrypto | undefined => (globalThis as NodeLike).process?.getBuiltinModule?.('crypto')

/** For pages: WebCrypto wants all bytes at once. */
export const createPortableHasher = (): Hasher => {
  const hash = sha256.create()
  return { update: (bytes) => void hash.update(bytes), digest: () => bytesToHex(hash.digest()) }
}

/** SHA-256 piece by piece. */
export const createHasher = (): Hasher => {
  const native = nodeCrypto()?.createHash('sha256')
  if (!native) return createPortableHasher()
  return { update: (bytes) => void native.update(bytes), digest: () => native.digest('hex') }
}

/** SHA-256 in lower-case hex, off the main thread where WebCrypto be there (pages have it over https). */
export const sha256Hex = async (bytes: Uint8Array): Promise<string> => {
  const { subtle } = globalThis.crypto as { subtle?: SubtleCrypto }
  if (subtle) {
    const digest = new Uint8Array(await subtle.digest('SHA-256', bytes as Uint8Array<ArrayBuffer>))
    return bytesToHex(digest)
  }
  const hasher = createHasher()
  hasher.update(bytes)
  return hasher.digest()
}
