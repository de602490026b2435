/**
 * A bounded cache in two generations: what was not asked for during a whole generation is dropped.
 * Holds at most `limit` values and costs one map lookup for a hot key, where an exact LRU pays two writes.
 */
export class StatementCache<Value> {
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
