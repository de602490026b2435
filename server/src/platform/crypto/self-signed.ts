import { generateKeyPair, type KeyObject, randomBytes, sign } from 'node:crypto'
import { promisify } from 'node:util'

const der = (tag: number, ...parts: Uint8Array[]): Buffer => {
  const content = Buffer.concat(parts)
  if (content.length < 128) return Buffer.concat([Buffer.of(tag, content.length), content])
  const length = Buffer.from(content.length.toString(16).replace(/^(?=(?:..)*.$)/, '0'), 'hex')
  return Buffer.concat([Buffer.of(tag, 0x80 | length.length), length, content])
}
const sequence = (...parts: Uint8Array[]): Buffer => der(0x30, ...parts)
const oid = (hex: string): Buffer => der(0x06, Buffer.from(hex, 'hex'))

const sha256WithRsa = sequence(oid('2a864886f70d01010b'), der(0x05))
const commonName = (name: string): Buffer =>
  sequence(der(0x31, sequence(oid('550403'), der(0x0c, Buffer.from(name, 'utf8')))))

/** RFC 5280: two digits of the year before 2050, four from then on. */
const time = (ms: number): Buffer => {
  const digits = `${new Date(ms).toISOString().replaceAll(/[-:T]|\..*/g, '')}Z`
  return digits < '2050' ? der(0x17, Buffer.from(digits.slice(2))) : der(0x18, Buffer.from(digits))
}

const certificateOf = (key: KeyObject, publicKey: KeyObject, name: string, from: number, until: number): string => {
  // Positive, and not zero.
  const serial = Buffer.concat([Buffer.of(0x40), randomBytes(15)])
  const signed = sequence(
    ...[der(0xa0, der(0x02, Buffer.of(2))), der(0x02, serial), sha256WithRsa, commonName(name)],
    ...[sequence(time(from), time(until)), commonName(name), publicKey.export({ type: 'spki', format: 'der' })],
  )
  const signature = der(0x03, Buffer.of(0), sign('sha256', signed, key))
  const lines = sequence(signed, sha256WithRsa, signature).toString('base64').replaceAll(/.{64}/g, '$&\n').trimEnd()
  return `-----BEGIN CERTIFICATE-----\n${lines}\n-----END CERTIFICATE-----`
}

const generate = promisify(generateKeyPair)

/**
 * A new RSA key and the certificate that some protocols want to see around its public half; nobody vouches for it. Both PEM.
 * `name` has 64 characters at most. Node makes no certificates, and this one has always the same few fields.
 */
export const newSelfSigned = async (name: string, from: number, until: number) => {
  const { privateKey, publicKey } = await generate('rsa', { modulusLength: 2048 })
  return {
    key: privateKey.export({ type: 'pkcs8', format: 'pem' }).toString(),
    certificate: certificateOf(privateKey, publicKey, name, from, until),
  }
}
