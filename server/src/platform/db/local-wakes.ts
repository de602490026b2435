/** Wake-ups inside one process. Delivered on a later turn, and once for any number of notifies within one turn. */
export class LocalWakes {
  readonly #listeners = new Map<string, Set<() => void>>()
  readonly #pending = new Set<string>()
  #closed = false

  listen(channel: string, onWake: () => void): () => void {
    const listeners = this.#listeners.get(channel) ?? new Set()
    this.#listeners.set(channel, listeners)
    // A wrapper, so that the same function may listen twice and leave once.
    const listener = () => onWake()
    listeners.add(listener)
    return () => {
      listeners.delete(listener)
      if (listeners.size === 0 && this.#listeners.get(channel) === listeners) this.#listeners.delete(channel)
    }
  }

  notify(channel: string): void {
    if (this.#pending.has(channel)) return
    this.#pending.add(channel)
    setImmediate(() => {
      this.#pending.delete(channel)
      if (this.#closed) return
      for (const listener of [...(this.#listeners.get(channel) ?? [])]) listener()
    })
  }

  channels(): string[] {
    return [...this.#listeners.keys()]
  }

  close(): void {
    this.#closed = true
    this.#listeners.clear()
  }
}
