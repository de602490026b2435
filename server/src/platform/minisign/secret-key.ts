import { createPrivateKey, createPublicKey, type KeyObject, scrypt } from 'node:crypto'
import { promisify } from 'node:util'
import { exactBase64, keyIdText, linesOf, MinisignError, pkcs8Head } from './public-key.ts'

export interface MinisignSecretKey {
  readonly keyId: string
  readonly keyIdBytes: Buffer
  readonly key: KeyObject
}

const GiB = 1024 ** 3
/** What minisign itself asks for at most; a file that asks for more is not one of its own. */
const mostMemory = GiB

interface ScryptCost {
  readonly N: number
  readonly r: number
  readonly p: number
}

/** libsodium's way from its two limits to scrypt's parameters (crypto_pwhash_scryptsalsa208sha256, pickparams). */
export const scryptCost = (opsLimit: number, memLimit: number): ScryptCost => {
  const r = 8
  const ops = Math.max(32_768, opsLimit)
  const half = ops < memLimit / 32 ? ops / (r * 4) / 2 : memLimit / (r * 128) / 2
  let log = 1
  while (log < 63 && 2 ** log <= half) log += 1
  const N = 2 ** log
  const p = ops < memLimit / 32 ? 1 : Math.floor(Math.min(0x3fffffff, Math.floor(ops / 4 / N)) / r)
  return { N, r, p: Math.max(1, p) }
}

const derive = promisify<string, Buffer, number, ScryptCost & { maxmem: number }, Buffer>(scrypt)

const unlock = async (sealed: Buffer, bytes: Buffer, password: () => Promise<string>): Promise<Buffer> => {
  const salt = bytes.subarray(6, 38)
  const [ops, memory] = [Number(bytes.readBigUInt64LE(38)), Number(bytes.readBigUInt64LE(46))]
  if (memory > mostMemory || ops > 2 ** 33)
    throw new MinisignError('this secret key asks for more work than minisign does')
  const cost = scryptCost(ops, memory)
  const stream = await derive(await password(), salt, sealed.length, { ...cost, maxmem: mostMemory + GiB / 4 })
  return Buffer.from(sealed.map((byte, index) => byte ^ (stream[index] ?? 0)))
}

/**
 * Reads the text of a minisign secret key file, asking for the password when the key is encrypted. Throws a
 * MinisignError for anything else and for a wrong password. (minisign's own checksum is BLAKE2b with 32 bytes, which
 * node:crypto does not have; that the seed makes the public key beside it says the same of everything that signs.)
 */
export const parseSecretKey = async (text: string, password: () => Promise<string>): Promise<MinisignSecretKey> => {
  const bytes = exactBase64((linesOf(text.trim()).at(-1) ?? '').trim(), 158)
  const kdf = bytes?.toString('latin1', 2, 4)
  if (bytes?.toString('latin1', 0, 2) !== 'Ed' || (kdf !== 'Sc' && kdf !== '\0\0'))
    throw new MinisignError('this is not a minisign secret key file')
  const sealed = bytes.subarray(54)
  const plain = kdf === 'Sc' ? await unlock(sealed, bytes, password) : sealed
  const [keyIdBytes, seed, publicHalf] = [plain.subarray(0, 8), plain.subarray(8, 40), plain.subarray(40, 72)]
  const key = createPrivateKey({ key: Buffer.concat([pkcs8Head, seed]), format: 'der', type: 'pkcs8' })
  const made = createPublicKey(key).export({ format: 'der', type: 'spki' }).subarray(-32)
  if (!made.equals(publicHalf))
    throw new MinisignError(kdf === 'Sc' ? 'the password of this secret key is wrong' : 'this secret key is damaged')
  return { keyId: keyIdText(keyIdBytes), keyIdBytes: Buffer.from(keyIdBytes), key }
}
