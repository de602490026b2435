import * as z from 'zod'
import { sha256Hex } from '../../../core/primitives.ts'

const base64url = (bytes: number, description: string) => {
  const length = Math.ceil((bytes * 4) / 3)
  return z
    .string()
    .regex(new RegExp(`^[A-Za-z0-9_-]{${length}}$`), `must be ${bytes} bytes in base64url without padding`)
    .meta({ description })
}

/** The 32 bytes of an Ed25519 public key (RFC 8032). */
export const captureKey = base64url(32, 'Ed25519 public key: 32 bytes in base64url')
const signature = base64url(64, 'Ed25519 signature: 64 bytes in base64url')

/** Items that one key may sign: five years of one each second. */
const maxItems = 150_000_000
const sequence = z.number().int().min(1).max(maxItems)

/** Sent with the consent: the key that the machine made for this session. `signature` is over `captureKeyText`. */
export const captureKeyRegistration = z.object({ key: captureKey, signature })

/** Sent with an item: its place in the machine's chain. `signature` is over `captureItemText`. */
export const captureSignature = z
  .object({
    key: captureKey,
    sequence: sequence.meta({ description: 'counts what this key has signed, from 1' }),
    previous: sha256Hex.meta({ description: 'SHA-256 of the text that was signed before; 64 zeros in the first' }),
    signature,
  })
  .meta({ id: 'CaptureSignature' })

/** Sent at the end: how long the chain is. `signature` is over `captureEndText`. */
export const captureEnd = z.object({
  key: captureKey,
  items: z.number().int().min(0).max(maxItems),
  last: sha256Hex.meta({ description: 'SHA-256 of the text that was signed last; 64 zeros where none was' }),
  signature,
})

/** As it is shown beside the evidence that it came with. */
export const keptCaptureSignature = captureSignature.extend({
  verified: z.boolean().meta({
    description: 'whether it was a signature over this item by a key of this session when it came',
  }),
})
