import { createHash, createPublicKey, type KeyObject, verify } from 'node:crypto'

/** The signature type of a timestamped cosignature (c2sp.org/tlog-cosignature). */
const cosignatureType = 0x04
const keyHashBytes = 4
const timeBytes = 8
const signatureBytes = 64

export interface WitnessKey {
  readonly name: string
  readonly hash: Buffer
  readonly key: KeyObject
}

const exactBase64 = (text: string): Buffer | undefined => {
  const bytes = Buffer.from(text, 'base64')
  return bytes.toString('base64') === text ? bytes : undefined
}

/** The key of a witness as it is published, `<name>+<key hash in hex>+<base64 of type and key>`; undefined for another text. */
export const parseWitnessKey = (text: string): WitnessKey | undefined => {
  const [, name, hex, encoded] = /^([^\s+]+)\+([0-9a-f]{8})\+([A-Za-z0-9+/]+={0,2})$/.exec(text) ?? []
  const typed = exactBase64(encoded ?? '')
  if (name === undefined || typed?.length !== 33 || typed[0] !== cosignatureType) return undefined
  const hash = createHash('sha256').update(`${name}\n`).update(typed).digest().subarray(0, keyHashBytes)
  if (hash.toString('hex') !== hex) return undefined
  const x = typed.subarray(1).toString('base64url')
  return { name, hash, key: createPublicKey({ key: { kty: 'OKP', crv: 'Ed25519', x }, format: 'jwk' }) }
}

/** The line among these that is this witness's cosignature of a signed note, if there is one that holds. */
export const cosignatureOf = (witness: WitnessKey, note: string, lines: string): string | undefined => {
  const text = note.slice(0, note.lastIndexOf('\n\n') + 1)
  return lines.split('\n').find((line) => {
    const [, name, encoded] = /^— ([^\s+]+) ([A-Za-z0-9+/]+={0,2})$/.exec(line) ?? []
    const bytes = exactBase64(encoded ?? '')
    if (name !== witness.name || bytes?.length !== keyHashBytes + timeBytes + signatureBytes) return false
    if (!bytes.subarray(0, keyHashBytes).equals(witness.hash)) return false
    const time = bytes.readBigUInt64BE(keyHashBytes)
    const signed = Buffer.from(`cosignature/v1\ntime ${time}\n${text}`, 'utf8')
    return verify(null, signed, witness.key, bytes.subarray(keyHashBytes + timeBytes))
  })
}
