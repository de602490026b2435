import { createHash, createPrivateKey, createPublicKey, type KeyObject, sign, verify } from 'node:crypto'
import type { Keyring } from '../../platform/crypto/keyring.ts'
import type { ChainHead } from './audit.verify.store.ts'

export interface CheckpointKey {
  readonly privateKey: KeyObject
  readonly publicKey: KeyObject
}

export type CheckpointReading =
  /** Signed by this key. */
  | { readonly status: 'verified'; readonly head: ChainHead }
  /** Well formed, but signed only by others, such as the key of an earlier master key. */
  | { readonly status: 'unknown_key'; readonly head: ChainHead }
  /** Not a checkpoint of this organisation, or its signature does not hold. */
  | { readonly status: 'invalid' }

/** PKCS #8 of an Ed25519 private key (RFC 8410, section 7), up to the 32 bytes of the seed. */
const pkcs8Prefix = Buffer.from('302e020100300506032b657004220420', 'hex')
/** The signature type of Ed25519 in a signed note. */
const ed25519Type = 0x01
const keyHashBytes = 4
const signatureBytes = 64

/** The Ed25519 key that signs this server's checkpoints: derived from the master key, so nothing more has to be kept. */
export const checkpointKey = (keyring: Pick<Keyring, 'deriveKey'>): CheckpointKey => {
  const seed = keyring.deriveKey('audit-checkpoint').export()
  const privateKey = createPrivateKey({ key: Buffer.concat([pkcs8Prefix, seed]), format: 'der', type: 'pkcs8' })
  return { privateKey, publicKey: createPublicKey(privateKey) }
}

/**
 * What the root of a checkpoint is: the hash of the last row, that of a Merkle tree over the hashes of all rows, that of
 * one over the lines of a bundle's manifest, or that of a statement, whose number stands in the place of the size.
 */
export type CheckpointKind = 'chain' | 'tree' | 'bundle' | 'statement'

const origins = {
  chain: 'interview-integrity/audit',
  tree: 'interview-integrity/audit-tree',
  bundle: 'interview-integrity/bundle',
  statement: 'interview-integrity/statement',
} as const

/** First line of the checkpoint, and the name of its key. */
const checkpointOrigin = (orgId: string, kind: CheckpointKind): string => `${origins[kind]}/${orgId}`

/** The 32 bytes of an Ed25519 public key. */
const rawPublicKey = (publicKey: KeyObject): Buffer =>
  Buffer.from(String(publicKey.export({ format: 'jwk' }).x), 'base64url')

const typedKey = (publicKey: KeyObject) => Buffer.concat([Uint8Array.of(ed25519Type), rawPublicKey(publicKey)])

const keyHash = (name: string, publicKey: KeyObject): Buffer =>
  createHash('sha256').update(`${name}\n`).update(typedKey(publicKey)).digest().subarray(0, keyHashBytes)

/** The public key as signed-note tools read it: `<name>+<key hash in hex>+<base64 of type and key>`. */
export const checkpointVerifierKey = (publicKey: KeyObject, orgId: string, kind: CheckpointKind = 'chain'): string => {
  const name = checkpointOrigin(orgId, kind)
  return `${name}+${keyHash(name, publicKey).toString('hex')}+${typedKey(publicKey).toString('base64')}`
}

/** The key of such a text, of whatever organisation; undefined where it is none. */
export const parseVerifierKey = (text: string): KeyObject | undefined => {
  const [, name, hash, encoded] = /^([^\s+]+)\+([0-9a-f]{8})\+([A-Za-z0-9+/]+={0,2})$/.exec(text) ?? []
  const typed = strictBase64(encoded ?? '')
  if (name === undefined || typed?.length !== 33 || typed[0] !== ed25519Type) return undefined
  const x = typed.subarray(1).toString('base64url')
  const key = createPublicKey({ key: { kty: 'OKP', crv: 'Ed25519', x }, format: 'jwk' })
  return keyHash(name, key).toString('hex') === hash ? key : undefined
}

/**
 * A signed statement of how long the chain is and where it ends, in the form of C2SP tlog-checkpoint and signed-note
 * (c2sp.org/tlog-checkpoint, c2sp.org/signed-note): origin, size, base64 of the head's hash as root, an empty line,
 * one signature line. Whoever keeps one outside this server can later show that the chain was cut or rewritten.
 */
export const signCheckpoint = (
  key: CheckpointKey,
  orgId: string,
  head: ChainHead,
  kind: CheckpointKind = 'chain',
): string => {
  if (head.seq < 1 || !/^[0-9a-f]{64}$/.test(head.hash)) throw new TypeError('a chain without rows has no checkpoint')
  const name = checkpointOrigin(orgId, kind)
  const text = `${name}\n${head.seq}\n${Buffer.from(head.hash, 'hex').toString('base64')}\n`
  const signature = Buffer.concat([keyHash(name, key.publicKey), sign(null, Buffer.from(text, 'utf8'), key.privateKey)])
  return `${text}\n— ${name} ${signature.toString('base64')}\n`
}

/** Base64 that is the one canonical spelling of its bytes. */
const strictBase64 = (text: string): Buffer | undefined => {
  const bytes = Buffer.from(text, 'base64')
  return bytes.toString('base64') === text ? bytes : undefined
}

const parseHead = (text: string, origin: string): ChainHead | undefined => {
  // Extension lines may follow the root; they are signed, and not ours to read.
  const [name, size, root] = text.split('\n')
  const hash = strictBase64(root ?? '')
  if (name !== origin || !/^[1-9][0-9]{0,15}$/.test(size ?? '') || hash?.length !== 32) return undefined
  return { seq: Number(size), hash: hash.toString('hex') }
}

/**
 * Reads a checkpoint of this organisation and checks the signatures made with these keys; other signatures are ignored.
 */
export const verifyCheckpoint = (
  publicKeys: readonly KeyObject[],
  orgId: string,
  note: string,
  kind: CheckpointKind = 'chain',
): CheckpointReading => {
  const name = checkpointOrigin(orgId, kind)
  const end = note.lastIndexOf('\n\n')
  if (end === -1 || !note.endsWith('\n')) return { status: 'invalid' }
  const text = note.slice(0, end + 1)
  const lines = note.slice(end + 2, -1).split('\n')
  const head = parseHead(text, name)
  if (!head) return { status: 'invalid' }
  const known = publicKeys.map((key) => ({ key, hash: keyHash(name, key) }))
  let status: 'verified' | 'unknown_key' = 'unknown_key'
  for (const line of lines) {
    const [, signer, encoded] = /^— ([^\s+]+) ([A-Za-z0-9+/]+={0,2})$/.exec(line) ?? []
    const bytes = strictBase64(encoded ?? '')
    if (signer === undefined || bytes === undefined || bytes.length <= keyHashBytes) return { status: 'invalid' }
    const signedBy = known.find(({ hash }) => signer === name && bytes.subarray(0, keyHashBytes).equals(hash))
    if (!signedBy) continue
    const signature = bytes.subarray(keyHashBytes)
    if (signature.length !== signatureBytes || !verify(null, Buffer.from(text, 'utf8'), signedBy.key, signature))
      return { status: 'invalid' }
    status = 'verified'
  }
  return { status, head }
}

/** A checkpoint of this organisation's audit, of either kind. */
export const readNote = (
  publicKeys: readonly KeyObject[],
  orgId: string,
  note: string,
): CheckpointReading & { readonly kind: Exclude<CheckpointKind, 'bundle' | 'statement'> } => {
  const kind = note.startsWith(`${checkpointOrigin(orgId, 'tree')}\n`) ? 'tree' : 'chain'
  return { ...verifyCheckpoint(publicKeys, orgId, note, kind), kind }
}
