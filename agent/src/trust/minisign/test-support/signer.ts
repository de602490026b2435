import { generateKeyPairSync, randomBytes, sign } from 'node:crypto'
import { blake2b } from '@noble/hashes/blake2.js'

export interface Signer {
  /** One line, as `minisign -G` prints it. */
  readonly publicKey: string
  /** The text of the `.minisig` of these bytes. */
  sign(document: string | Uint8Array, comment?: string): string
}

/** A new key that signs as `minisign -S` does; minisign.test.ts proves it against the program itself. */
export const makeSigner = (): Signer => {
  const { publicKey, privateKey } = generateKeyPairSync('ed25519')
  const keyId = randomBytes(8)
  const raw = Buffer.from(publicKey.export({ format: 'jwk' }).x ?? '', 'base64url')
  return {
    publicKey: Buffer.concat([Buffer.from('Ed'), keyId, raw]).toString('base64'),
    sign: (document, comment = 'timestamp:1 file:document.json') => {
      const signature = sign(null, blake2b(Buffer.from(document)), privateKey)
      const global = sign(null, Buffer.concat([signature, Buffer.from(comment)]), privateKey)
      const first = Buffer.concat([Buffer.from('ED'), keyId, signature]).toString('base64')
      return `untrusted comment: test\n${first}\ntrusted comment: ${comment}\n${global.toString('base64')}\n`
    },
  }
}
