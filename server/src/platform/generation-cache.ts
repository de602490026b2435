/**
 * A bounded cache in two generations: what was not asked for during a whole generation is dropped.
 * Holds at most `limit` values and costs one map lookup for a hot key, where an exact LRU pays two writes.
 */
export class GenerationCache<Value> {
  readonly #half: number
  #young = new Map<string, Value>()
  #old = new Map<string, Value>()

  constructor(limit: number) {
    this.#half = Math.max(1, Math.floor(limit / 2))
  }

  get(key: string): Value | undefined {
    const young = this.#young.get(key)
    if (young !== undefined) return young
    const old = this.#old.get(key)
    if (old !== undefined) this.set(key, old)
    return old
  }

  set(key: string, value: Value): void {
    if (this.#young.size >= this.#half) {
      this.#old = this.#young
      this.#young = new Map()
    }
    this.#young.set(key, value)
  }

  clear(): void {
    this.#young = new Map()
    this.#old = new Map()
  }

  get size(): number {
    return this.#young.size + this.#old.size
  }
}

const KEPT = 1000

/** A function of a text whose answers are kept for texts that come again and again. Nobody may change what comes out. */
export const remembering = <Value>(make: (text: string) => Value): ((text: string) => Value) => {
  const known = new GenerationCache<Value>(KEPT)
  return (text) => {
    const found = known.get(text)
    if (found !== undefined) return found
    const made = make(text)
    known.set(text, made)
    return made
  }
}
