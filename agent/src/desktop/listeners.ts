/** Who wants to be told. A listener that throws does not keep the others from hearing. */
export class Listeners<T> {
  readonly #listeners = new Set<(value: T) => void>()

  add(listener: (value: T) => void): () => void {
    this.#listeners.add(listener)
    return () => this.#listeners.delete(listener)
  }

  tell(value: T): void {
    for (const listener of this.#listeners) {
      try {
        listener(value)
      } catch (error) {
        console.error(error)
      }
    }
  }
}
