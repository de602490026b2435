/** Words that are being written. */
export type Words = Readonly<Record<string, string>>

export type DraftStorage = Pick<Storage, 'getItem' | 'setItem' | 'removeItem'>

interface Kept<W> {
  readonly words: W
  /** Under which these very words were sent, and not seen to arrive. */
  readonly once?: string
}

/**
 * Words that stay until they were sent: through a failed attempt and a reload, in this tab alone. `name` is of the form
 * and of whom it is for, so that what was written for one session is never sent to another.
 */
export class Draft<W extends Words> {
  readonly #storage: DraftStorage
  readonly #key: string
  readonly #empty: W
  readonly #newId: () => string
  #kept: Kept<W>

  constructor(storage: DraftStorage, name: string, empty: W, newId: () => string) {
    this.#storage = storage
    this.#key = `draft ${name}`
    this.#empty = empty
    this.#newId = newId
    this.#kept = this.#read()
  }

  get words(): W {
    return this.#kept.words
  }

  get isEmpty(): boolean {
    return Object.keys(this.#empty).every((key) => this.words[key] === this.#empty[key])
  }

  change(part: Partial<W>): void {
    this.#keep({ words: { ...this.words, ...part } })
  }

  /** The same for the same words, however often they are sent, so that they arrive once. */
  once(): string {
    const once = this.#kept.once ?? this.#newId()
    this.#keep({ words: this.words, once })
    return once
  }

  /** They have arrived. */
  clear(): void {
    this.#kept = { words: this.#empty }
    this.#storage.removeItem(this.#key)
  }

  #keep(kept: Kept<W>): void {
    this.#kept = kept
    try {
      this.#storage.setItem(this.#key, JSON.stringify(kept))
    } catch {
      // Full: the words stay for as long as the page does.
    }
  }

  #read(): Kept<W> {
    try {
      const { words, once } = JSON.parse(this.#storage.getItem(this.#key) ?? '{}') as Partial<Kept<W>>
      const known = Object.entries(words ?? {}).filter(
        ([key, value]) => key in this.#empty && typeof value === 'string',
      )
      return {
        words: { ...this.#empty, ...(Object.fromEntries(known) as Partial<W>) },
        ...(typeof once === 'string' ? { once } : {}),
      }
    } catch {
      return { words: this.#empty }
    }
  }
}
