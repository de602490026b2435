import { createHash, generateKeyPairSync, sign } from 'node:crypto'
import { captureEndText, captureItemText, captureKeyText, noItemHash } from '@integrity/protocol'

interface Capture {
  readonly evidenceType: string
  readonly sha256: string
  readonly capturedAt: string
  readonly durationMs?: number | null
}

/** Signs as an agent does. */
export const captureSigner = (sessionId: string) => {
  const { privateKey, publicKey } = generateKeyPairSync('ed25519')
  const { x: key = '' } = publicKey.export({ format: 'jwk' })
  const signed = (text: string) => sign(null, Buffer.from(text), privateKey).toString('base64url')
  let sequence = 0
  let previous = noItemHash
  return {
    key,
    registration: (documentHash: string) => ({
      key,
      signature: signed(captureKeyText({ sessionId, key, documentHash })),
    }),
    item: ({ capturedAt, durationMs = null, ...item }: Capture) => {
      sequence += 1
      const place = { sequence, previous }
      const text = captureItemText({ ...item, ...place, sessionId, capturedAt: Date.parse(capturedAt), durationMs })
      previous = createHash('sha256').update(text).digest('hex')
      return { key, ...place, signature: signed(text) }
    },
    end: () => {
      const said = { key, items: sequence, last: previous }
      return { ...said, signature: signed(captureEndText({ sessionId, ...said })) }
    },
  }
}
