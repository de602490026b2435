import type { DeliveryFault } from '@integrity/protocol'
import { type SigningKeys, signingKeys } from '../webhooks/webhooks.signature.model.ts'

/** Seconds: well beyond the age at which receivers refuse. */
const tooOld = 3600

/** A secret that no endpoint has. */
const foreign = signingKeys(`whsec_${Buffer.alloc(32).toString('base64')}`)

interface Sent {
  readonly keys: SigningKeys
  /** Unix seconds. */
  readonly at: number
  readonly body: Buffer
}

/** What is signed, with what and when. A cut body is signed whole: what arrives is not what was signed. */
export const signedAs = (fault: DeliveryFault | null, { keys, at, body }: Sent): Sent => ({
  keys: fault === 'wrong_signature' ? foreign : keys,
  at: fault === 'old_timestamp' ? at - tooOld : at,
  body,
})

/** The body that is sent, with the fault of the rehearsal. */
export const bodyWith = (fault: DeliveryFault | null, body: Buffer): Buffer =>
  fault === 'cut_body' ? body.subarray(0, Math.floor(body.length / 2)) : body
