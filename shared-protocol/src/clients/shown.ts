/** The one state that a page shows, and who is told when it is another. */
export class Shown<State> {
  readonly #listeners = new Set<() => void>()
  #state: State

  constructor(state: State) {
    this.#state = state
  }

  get state(): State {
    return this.#state
  }

  set(next: State): void {
    this.#state = next
    for (const listener of this.#listeners) listener()
  }

  /** Calls back after each change; answers how to stop. An arrow, so that React may hold it. */
  readonly subscribe = (listener: () => void): (() => void) => {
    this.#listeners.add(listener)
    return () => this.#listeners.delete(listener)
  }
}
