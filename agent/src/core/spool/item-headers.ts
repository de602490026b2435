import type { CapturedItem } from '../capture/types.ts'
import type { CaptureChain } from './capture-chain.ts'
import { headerOf } from './item-files.ts'
import type { ItemHeader } from './types.ts'

/** Gives each captured item its id, its number in its lane, and its place in the machine's chain. */
export class ItemHeaders {
  readonly #chain: CaptureChain
  readonly #sequences: Map<string, number>

  constructor(chain: CaptureChain, sequences: Map<string, number>) {
    this.#chain = chain
    this.#sequences = sequences
  }

  next(input: CapturedItem): ItemHeader {
    const sequence = this.#sequences.get(input.lane) ?? 0
    this.#sequences.set(input.lane, sequence + 1)
    return this.#chain.sign(headerOf(input, sequence))
  }

  reset(): void {
    this.#sequences.clear()
    this.#chain.forget()
  }
}
