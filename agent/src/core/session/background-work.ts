/** Work that runs beside something else until that is closed. */
export class BackgroundWork {
  readonly #running = new Set<Promise<void>>()
  readonly #onFailure: (error: unknown) => Promise<void>

  constructor(onFailure: (error: unknown) => Promise<void>) {
    this.#onFailure = onFailure
  }

  run(work: () => Promise<void>): void {
    const running = work()
      .catch(this.#onFailure)
      .finally(() => this.#running.delete(running))
    this.#running.add(running)
  }

  async settled(): Promise<void> {
    await Promise.allSettled(this.#running)
  }
}
