export const rates = [0.5, 0.75, 1, 1.25, 1.5, 2, 3, 4] as const

/** The next rate in a direction; the same at the ends. */
export const rateBeside = (rate: number, direction: 1 | -1): number => {
  const all: readonly number[] = rates
  return all[Math.max(0, Math.min(all.length - 1, all.indexOf(rate) + direction))] ?? 1
}

/** Where a player is, on a clock that runs while it plays. */
export class Clock {
  readonly #now: () => number
  #atMs: number
  #rate = 1
  #since: number | undefined

  constructor(now: () => number, atMs: number) {
    this.#now = now
    this.#atMs = atMs
  }

  get running(): boolean {
    return this.#since !== undefined
  }

  get atMs(): number {
    return this.#since === undefined ? this.#atMs : this.#atMs + (this.#now() - this.#since) * this.#rate
  }

  get rate(): number {
    return this.#rate
  }

  set rate(rate: number) {
    this.#restart(this.atMs)
    this.#rate = rate
  }

  run(): void {
    this.#since ??= this.#now()
  }

  halt(): void {
    this.#atMs = this.atMs
    this.#since = undefined
  }

  moveTo(atMs: number): void {
    this.#restart(atMs)
  }

  #restart(atMs: number): void {
    this.#atMs = atMs
    if (this.#since !== undefined) this.#since = this.#now()
  }
}
