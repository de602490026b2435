import { createHash, createSign, generateKeyPairSync, randomBytes } from 'node:crypto'

/** As much of CBOR (RFC 8949) as a credential is made of. */
const head = (major: number, value: number): Buffer => {
  if (value < 24) return Buffer.from([(major << 5) | value])
  if (value < 256) return Buffer.from([(major << 5) | 24, value])
  return Buffer.from([(major << 5) | 25, value >> 8, value & 255])
}
type Cbor = number | string | Buffer | ReadonlyMap<number | string, Cbor>
const encode = (value: Cbor): Buffer => {
  if (typeof value === 'number') return value < 0 ? head(1, -1 - value) : head(0, value)
  if (typeof value === 'string') return Buffer.concat([head(3, Buffer.byteLength(value)), Buffer.from(value)])
  if (Buffer.isBuffer(value)) return Buffer.concat([head(2, value.length), value])
  const pairs = [...value].flatMap(([name, of]) => [encode(name), encode(of)])
  return Buffer.concat([head(5, value.size), ...pairs])
}

const sha256 = (bytes: Buffer | string): Buffer => createHash('sha256').update(bytes).digest()
const flags = { present: 0x01, verified: 0x04, attested: 0x40 }

/** What a page and its host say of themselves; a test makes one of them lie. */
export interface Ceremony {
  readonly challenge: string
  readonly origin: string
  readonly rpId: string
  /** Whether somebody has touched it. */
  readonly present?: boolean
  readonly type?: string
}

/** A passkey in software (WebAuthn Level 2, ES256, no attestation). `counter` is what it signs next. */
export const createAuthenticator = (options: { readonly counts?: boolean } = {}) => {
  const { privateKey, publicKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' })
  const { x = '', y = '' } = publicKey.export({ format: 'jwk' })
  const coordinate = (text: string) => Buffer.from(text, 'base64url')
  const cose = new Map<number, Cbor>([
    [1, 2],
    [3, -7],
    [-1, 1],
    [-2, coordinate(x)],
    [-3, coordinate(y)],
  ])
  const rawId = randomBytes(16)
  const id = rawId.toString('base64url')
  const own = { id, rawId: id, type: 'public-key' as const }
  const state = { counter: 0 }

  const clientData = ({ challenge, origin, type }: Ceremony, usual: string): Buffer =>
    Buffer.from(JSON.stringify({ type: type ?? usual, challenge, origin, crossOrigin: false }))
  const data = ({ rpId, present = true }: Ceremony, attested: boolean): Buffer => {
    const counter = Buffer.alloc(4)
    counter.writeUInt32BE(state.counter)
    if (options.counts !== false) state.counter += 1
    const bits = (present ? flags.present | flags.verified : 0) | (attested ? flags.attested : 0)
    const credential = attested ? [Buffer.alloc(16), Buffer.from([0, rawId.length]), rawId, encode(cose)] : []
    return Buffer.concat([sha256(rpId), Buffer.from([bits]), counter, ...credential])
  }

  return {
    id,
    state,
    create(ceremony: Ceremony) {
      const authData = data(ceremony, true)
      const parts = new Map<string, Cbor>([
        ['fmt', 'none'],
        ['attStmt', new Map<string, Cbor>()],
        ['authData', authData],
      ])
      return {
        ...own,
        response: {
          clientDataJSON: clientData(ceremony, 'webauthn.create').toString('base64url'),
          attestationObject: encode(parts).toString('base64url'),
          transports: ['internal'],
        },
      }
    },
    get(ceremony: Ceremony) {
      const client = clientData(ceremony, 'webauthn.get')
      const authenticatorData = data(ceremony, false)
      const signature = createSign('sha256').update(authenticatorData).update(sha256(client)).sign(privateKey)
      return {
        ...own,
        response: {
          clientDataJSON: client.toString('base64url'),
          authenticatorData: authenticatorData.toString('base64url'),
          signature: signature.toString('base64url'),
        },
      }
    },
  }
}
export type Authenticator = ReturnType<typeof createAuthenticator>
