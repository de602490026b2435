import { createHash, createPublicKey, verify } from 'node:crypto'
import { captureItemText, noItemHash, type SignedItem } from '@integrity/protocol'

/** Whether an Ed25519 key (32 bytes in base64url) signed this text. */
export const isSignedBy = (key: string, text: string, signature: string): boolean => {
  const publicKey = createPublicKey({ key: { kty: 'OKP', crv: 'Ed25519', x: key }, format: 'jwk' })
  return verify(null, Buffer.from(text), publicKey, Buffer.from(signature, 'base64url'))
}

const hashOf = (item: SignedItem): string => createHash('sha256').update(captureItemText(item)).digest('hex')

/** Places of a chain, both ends included. */
interface Stretch {
  readonly from: number
  readonly to: number
}

/** So many places are named; the rest is counted. */
const mostNamed = 100

/** Goes along what one key has signed, in the order of its sequence, and notes where an item is not what follows the one before. */
export class ChainWalk {
  items = 0
  missingItems = 0
  brokenPlaces = 0
  repeatedItems = 0
  readonly gaps: Stretch[] = []
  readonly breaks: number[] = []
  readonly repeated: number[] = []
  #place = 0
  /** Of the items at this place: one, unless the place is claimed more than once. */
  #hashes = new Set([noItemHash])

  take(item: SignedItem): void {
    this.items += 1
    const hash = hashOf(item)
    if (item.sequence === this.#place) {
      this.repeatedItems += 1
      if (this.repeated.at(-1) !== item.sequence && this.repeated.length < mostNamed) this.repeated.push(item.sequence)
      this.#hashes.add(hash)
      return
    }
    this.#reach(item.sequence, item.previous)
    this.#place = item.sequence
    this.#hashes = new Set([hash])
  }

  /** What the machine said of the end: `last` is the hash of the item at that place. */
  end(items: number, last: string): void {
    if (items < this.#place) this.#broken(items + 1)
    else this.#reach(items + 1, last)
  }

  /** `previous` names the item at the place before this one, which may not be here. */
  #reach(place: number, previous: string): void {
    const gap = { from: this.#place + 1, to: place - 1 }
    if (gap.from > gap.to) {
      if (!this.#hashes.has(previous)) this.#broken(place)
      return
    }
    this.missingItems += gap.to - gap.from + 1
    if (this.gaps.length < mostNamed) this.gaps.push(gap)
  }

  #broken(place: number): void {
    this.brokenPlaces += 1
    if (this.breaks.length < mostNamed) this.breaks.push(place)
  }
}
