import { createCipheriv, createDecipheriv, hkdfSync, randomBytes } from 'node:crypto'
import { AgeError } from '../crypto/age-error.ts'
import { fileKeyBytes, unwrapFileKey, wrapFileKey } from '../crypto/age-header.ts'
import type { AgeIdentity } from '../crypto/age-keys.ts'
import { payloadKey, payloadNonceBytes, payloadSize, sealChunks } from '../crypto/age-stream.ts'
import { sliceKey } from './slice-key.ts'
import type { ObjectPlace, ObjectStore } from './types.ts'

/** Small things that lie sealed beside an item, under the item's own key, and go with it. */
const besideNames = ['small', 'levels'] as const
export type BesideName = (typeof besideNames)[number]

export interface PackPart {
  readonly bytes: Buffer
  readonly beside: Readonly<Partial<Record<BesideName, Buffer>>>
}

/** Where an item lies, and what opens it: header and slice, joined, are a plain age file. */
export interface SealedPart {
  /** Of the slice that holds the item's payload. */
  readonly storeKey: string
  readonly header: string
  /** Keys of the slices that hold what is beside it. */
  readonly beside: Readonly<Partial<Record<BesideName, string>>>
}

interface PackPlace {
  readonly store: Pick<ObjectPlace, 'put'>
  readonly key: string
  /** As for a whole object. */
  readonly recipients: readonly string[]
}

const nonceBytes = 12
const tagBytes = 16

const keyBeside = (fileKey: Uint8Array, name: BesideName): Buffer =>
  Buffer.from(hkdfSync('sha256', fileKey, '', `beside ${name}`, 32))

const sealBeside = (fileKey: Buffer, name: BesideName, bytes: Buffer, place: string): Buffer => {
  const nonce = randomBytes(nonceBytes)
  const cipher = createCipheriv('aes-256-gcm', keyBeside(fileKey, name), nonce, { authTagLength: tagBytes })
  cipher.setAAD(Buffer.from(place))
  return Buffer.concat([nonce, cipher.update(bytes), cipher.final(), cipher.getAuthTag()])
}

/** A write costs more than copying what is small. */
const writeBytes = 128 * 1024

/** What is sealed, piece by piece, in as few pieces as may be held at once. */
async function* together(pieces: Iterable<Buffer>): AsyncGenerator<Buffer> {
  let held: Buffer[] = []
  let bytes = 0
  for (const piece of pieces) {
    held.push(piece)
    bytes += piece.length
    if (bytes < writeBytes) continue
    yield Buffer.concat(held)
    held = []
    bytes = 0
  }
  if (bytes > 0) yield Buffer.concat(held)
}

const sealPayload = (fileKey: Buffer, bytes: Buffer): Buffer[] => {
  const nonce = randomBytes(payloadNonceBytes)
  return [nonce, sealChunks(payloadKey(fileKey, nonce), 0, bytes, true)]
}

/**
 * Seals items behind each other into one stored object, each under a key of its own: who takes away an item's header has
 * taken away the item, and no other. Durable when it resolves; when it rejects nothing is left.
 * Throws as `ObjectPlace.put`, and `AgeError('invalid_recipient')`.
 */
export const sealPack = async (
  parts: readonly PackPart[],
  { store, key, recipients }: PackPlace,
): Promise<SealedPart[]> => {
  let at = 0
  const take = (length: number): string => {
    const slice = sliceKey({ key, from: at, length })
    at += length
    return slice
  }
  const keyed = parts.map(({ bytes, beside }) => {
    const fileKey = randomBytes(fileKeyBytes)
    const storeKey = take(payloadSize(bytes.length))
    const pieces = besideNames.flatMap((name) => {
      const plain = beside[name]
      if (!plain) return []
      return [{ name, plain, place: take(nonceBytes + plain.length + tagBytes) }]
    })
    return { bytes, fileKey, storeKey, header: wrapFileKey(fileKey, recipients), pieces }
  })
  const sealed = function* () {
    for (const { bytes, fileKey, pieces } of keyed) {
      yield* sealPayload(fileKey, bytes)
      for (const { name, plain, place } of pieces) yield sealBeside(fileKey, name, plain, place)
    }
  }
  await store.put(key, together(sealed()), { size: at })
  return keyed.map(({ storeKey, header, pieces }) => ({
    storeKey,
    header,
    beside: Object.fromEntries(pieces.map(({ name, place }) => [name, place])),
  }))
}

/** Something small that goes beside an object that is stored already. */
export interface BesidePart {
  /** The age header of the object, as it opens it. */
  readonly header: string
  readonly pieces: Readonly<Partial<Record<BesideName, Buffer>>>
}

/**
 * Seals what is beside several objects into one stored object, each piece under the key of its own. Answers where each lies.
 * Durable when it resolves. Throws as `ObjectPlace.put`, and `AgeError`.
 */
export const sealBesides = async (
  parts: readonly BesidePart[],
  { store, key, identity }: Pick<PackPlace, 'key' | 'store'> & { readonly identity: AgeIdentity },
): Promise<SealedPart['beside'][]> => {
  const sealed: Buffer[] = []
  let at = 0
  const places = parts.map(({ header, pieces }) => {
    const fileKey = unwrapFileKey(header, identity)
    const beside: Partial<Record<BesideName, string>> = {}
    for (const name of besideNames) {
      const plain = pieces[name]
      if (!plain) continue
      const length = nonceBytes + plain.length + tagBytes
      const place = sliceKey({ key, from: at, length })
      sealed.push(sealBeside(fileKey, name, plain, place))
      beside[name] = place
      at += length
    }
    return beside
  })
  if (sealed.length > 0) await store.put(key, together(sealed), { size: at })
  return places
}

const unsealBeside = (key: Buffer, sealed: Buffer, place: string): Buffer => {
  if (sealed.length < nonceBytes + tagBytes) throw new AgeError('payload_size', 'what lies beside it is cut short')
  const nonce = sealed.subarray(0, nonceBytes)
  const decipher = createDecipheriv('aes-256-gcm', key, nonce, { authTagLength: tagBytes })
  decipher.setAAD(Buffer.from(place))
  decipher.setAuthTag(sealed.subarray(sealed.length - tagBytes))
  const plain = decipher.update(sealed.subarray(nonceBytes, sealed.length - tagBytes))
  try {
    decipher.final()
  } catch (cause) {
    throw new AgeError('payload_corrupt', 'what lies beside it does not authenticate', { cause })
  }
  return plain
}

/** What is beside an item, at a place of `SealedPart.beside`. Throws `AgeError`, `StorageError('not_found')`. */
export const openBeside = async (
  { header, identity, name, place }: { header: string; identity: AgeIdentity; name: BesideName; place: string },
  store: Pick<ObjectStore, 'open'>,
): Promise<Buffer> => {
  const fileKey = unwrapFileKey(header, identity)
  const reader = await store.open(place)
  try {
    return unsealBeside(keyBeside(fileKey, name), await reader.read(0, reader.size), place)
  } finally {
    await reader.close()
  }
}
