interface Entry<Value> {
  readonly value: Value
  /** By the cache's clock; what never gets old has infinity. */
  readonly until: number
}

export interface CacheOptions {
  /** Holds at most so many values. Those used last are among them, half as many for certain. */
  readonly limit: number
  /** A value is not given any more when it was set so long ago. Milliseconds of `now`. */
  readonly age?: { readonly ms: number; readonly now: () => number }
}

/**
 * The one bounded cache, in two generations: what was not asked for during a whole generation is dropped. A hot key costs
 * one map lookup, where an exact LRU pays two writes.
 */
export class Cache<Value> {
  readonly #half: number
  readonly #age: CacheOptions['age']
  #young = new Map<string, Entry<Value>>()
  #old = new Map<string, Entry<Value>>()

  constructor({ limit, age }: CacheOptions) {
    this.#half = Math.max(1, Math.floor(limit / 2))
    this.#age = age
  }

  get(key: string): Value | undefined {
    const young = this.#young.get(key)
    const entry = young ?? this.#old.get(key)
    if (entry === undefined) return undefined
    if (this.#age && this.#age.now() >= entry.until) {
      this.delete(key)
      return undefined
    }
    if (young === undefined) this.#put(key, entry)
    return entry.value
  }

  set(key: string, value: Value): void {
    this.#put(key, { value, until: this.#age ? this.#age.now() + this.#age.ms : Number.POSITIVE_INFINITY })
  }

  /** What is kept, or else what is made now and kept. What throws is not kept, nor a promise that rejects. */
  getOrMake(key: string, make: () => Value): Value {
    const found = this.get(key)
    if (found !== undefined) return found
    const made = make()
    this.set(key, made)
    if (made instanceof Promise) {
      made.catch(() => {
        if (this.get(key) === made) this.delete(key)
      })
    }
    return made
  }

  delete(key: string): void {
    this.#young.delete(key)
    this.#old.delete(key)
  }

  clear(): void {
    this.#young = new Map()
    this.#old = new Map()
  }

  get size(): number {
    return this.#young.size + this.#old.size
  }

  #put(key: string, entry: Entry<Value>): void {
    if (this.#young.size >= this.#half && !this.#young.has(key)) {
      this.#old = this.#young
      this.#young = new Map()
    }
    this.#young.set(key, entry)
  }
}

const kept = 1000

/** A function of a text whose answers are kept for texts that come again and again. Nobody may change what comes out. */
export const remembering = <Value>(make: (text: string) => Value): ((text: string) => Value) => {
  const known = new Cache<Value>({ limit: kept })
  return (text) => known.getOrMake(text, () => make(text))
}
