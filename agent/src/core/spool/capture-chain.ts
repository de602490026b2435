import { createHash, createPrivateKey, createPublicKey, generateKeyPairSync, type KeyObject, sign } from 'node:crypto'
import {
  type captureEnd,
  captureEndText,
  captureItemText,
  type captureKeyRegistration,
  captureKeyText,
  type captureSignature,
  noItemHash,
} from '@integrity/protocol'
import * as z from 'zod'
import { seal, unseal } from './seal.ts'
import type { SpoolIndex } from './spool-index.ts'
import { type ItemHeader, sentDurationMs } from './types.ts'

const keptKey = z.object({ sessionId: z.string(), pkcs8: z.base64() })

interface Signer {
  readonly sessionId: string
  readonly privateKey: KeyObject
  /** 32 bytes in base64url. */
  readonly key: string
}

const signerOf = (sessionId: string, privateKey: KeyObject): Signer => {
  const { x = '' } = createPublicKey(privateKey).export({ format: 'jwk' })
  return { sessionId, privateKey, key: x }
}

const signText = ({ privateKey }: Signer, text: string): string =>
  sign(null, Buffer.from(text), privateKey).toString('base64url')

/**
 * What this machine signs of a session: a key of its own, made at consent and sealed in the index like everything there, and
 * a chain over the items in the order in which they were captured. Where the index was lost, key and place went together, and
 * what is captured from then on is not signed: a place is never given twice.
 */
export class CaptureChain {
  readonly #index: SpoolIndex
  readonly #spoolKey: Buffer
  #signer: Signer | undefined
  #items = 0
  #last = noItemHash

  /** After the index was repaired. */
  constructor(index: SpoolIndex, spoolKey: Buffer) {
    this.#index = index
    this.#spoolKey = spoolKey
    const kept = index.getMeta('capture_key')
    if (kept === undefined) return
    const { sessionId, pkcs8 } = keptKey.parse(
      JSON.parse(unseal(spoolKey, 'capture_key', Buffer.from(kept, 'base64')).toString('utf8')),
    )
    const der = Buffer.from(pkcs8, 'base64')
    this.#signer = signerOf(sessionId, createPrivateKey({ key: der, format: 'der', type: 'pkcs8' }))
    const head = index.chainHead()
    if (head) [this.#items, this.#last] = [head.items, head.last]
  }

  /** Makes the session's key, durably; one that is there stays. */
  begin(sessionId: string, privateKey = generateKeyPairSync('ed25519').privateKey): void {
    if (this.#signer) return
    const pkcs8 = privateKey.export({ format: 'der', type: 'pkcs8' }).toString('base64')
    const sealed = seal(this.#spoolKey, 'capture_key', Buffer.from(JSON.stringify({ sessionId, pkcs8 })))
    this.#index.setMeta('capture_key', sealed.toString('base64'))
    this.#signer = signerOf(sessionId, privateKey)
  }

  /** What the consent to this document takes along; undefined where this machine does not sign. */
  registration(documentHash: string): z.output<typeof captureKeyRegistration> | undefined {
    if (!this.#signer) return undefined
    const { sessionId, key } = this.#signer
    return { key, signature: signText(this.#signer, captureKeyText({ sessionId, key, documentHash })) }
  }

  /** Gives the item the next place. Call `takeBack` when it did not become durable. */
  sign(header: ItemHeader): ItemHeader {
    if (!this.#signer) return header
    const { sessionId, key } = this.#signer
    const place = { sequence: this.#items + 1, previous: this.#last }
    const { kind: evidenceType, sha256 } = header
    const capturedAt = new Date(header.capturedAt).getTime()
    const durationMs = sentDurationMs(header) ?? null
    const text = captureItemText({ sessionId, evidenceType, sha256, capturedAt, durationMs, ...place })
    const signature: z.output<typeof captureSignature> = { key, ...place, signature: signText(this.#signer, text) }
    this.#items = place.sequence
    this.#last = createHash('sha256').update(text).digest('hex')
    return { ...header, signed: { signature, hash: this.#last } }
  }

  /** The place is free again, unless another item is behind it already: then it stays a gap. */
  takeBack({ signed }: ItemHeader): void {
    if (signed?.hash !== this.#last) return
    this.#items = signed.signature.sequence - 1
    this.#last = signed.signature.previous
  }

  /** How long the chain is; undefined where this machine does not sign. */
  end(): z.output<typeof captureEnd> | undefined {
    if (!this.#signer) return undefined
    const { sessionId, key } = this.#signer
    const said = { key, items: this.#items, last: this.#last }
    return { ...said, signature: signText(this.#signer, captureEndText({ sessionId, ...said })) }
  }

  /** The session is over: its key is destroyed. */
  forget(): void {
    this.#index.forgetChain()
    this.#signer = undefined
    this.#items = 0
    this.#last = noItemHash
  }
}
