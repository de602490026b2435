type Undo = () => unknown

/** What has to be stopped at the end, the newest first; also when the end is a Ctrl-C or a failure. */
export class Cleanup {
  readonly #undos: Undo[] = []
  #running: Promise<void> | undefined

  /** The end has begun: that things fail now is no news. */
  get begun(): boolean {
    return this.#running !== undefined
  }

  /** What is started after the end has begun is stopped at once. */
  add(undo: Undo): void {
    this.#undos.push(undo)
    if (this.#running) this.#running = this.#running.then(() => this.#runAll())
  }

  /** Never throws: what cannot be stopped must not keep the rest running. */
  run(): Promise<void> {
    this.#running ??= this.#runAll()
    return this.#running
  }

  async #runAll(): Promise<void> {
    for (let undo = this.#undos.pop(); undo; undo = this.#undos.pop()) {
      try {
        await undo()
      } catch (error) {
        console.error(error instanceof Error ? error.message : error)
      }
    }
  }
}
