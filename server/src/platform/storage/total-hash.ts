import { createHash, type Hash } from 'node:crypto'

/** Plain bytes of a part that is durable, read back. */
type ReadBack = (index: number) => AsyncIterable<Buffer>

/** The plain bytes of a part, with a SHA-256 that has taken in exactly these where there is one. */
export interface PlainPart {
  readonly plain: Buffer
  readonly hash?: Hash
}

/** Senders have a few parts under way at once, so a part comes one or two places out of its turn, seldom more. */
const readBackAtOnce = 2

/**
 * SHA-256 of a whole whose parts come in any order. A part in its turn is taken in as it comes; one that came too early
 * is read back when its turn is there, a few with each part, so that little is left for the end.
 */
export class TotalHash {
  #hash = createHash('sha256')
  /** The parts before this one are in it. */
  #next = 0

  /** A part that was verified and accepted, and whose bytes never change from now on. `isThere`: durable already. */
  async take(
    index: number,
    { plain, hash }: PlainPart,
    isThere: (index: number) => boolean,
    readBack: ReadBack,
  ): Promise<void> {
    let left = readBackAtOnce
    const catchUp = async () => {
      for (; left > 0 && isThere(this.#next); left--) await this.#readBack(this.#next, readBack)
    }
    await catchUp()
    if (index !== this.#next) return
    if (index === 0 && hash) this.#hash = hash.copy()
    else this.#hash.update(plain)
    this.#next++
    await catchUp()
  }

  /** SHA-256 in hex, when the parts that are not in it yet are read back. Throws what reading throws. */
  async digest(partCount: number, readBack: ReadBack): Promise<string> {
    while (this.#next < partCount) await this.#readBack(this.#next, readBack)
    return this.#hash.copy().digest('hex')
  }

  async #readBack(index: number, readBack: ReadBack): Promise<void> {
    // A copy: what cannot be read to its end must not be in it by half.
    const hash = this.#hash.copy()
    for await (const piece of readBack(index)) hash.update(piece)
    this.#hash = hash
    this.#next++
  }
}
