import { lastBefore } from './timeline.ts'

interface Span {
  fromMs: number
  toMs: number
}

/** Two looks that are further apart have not seen what lies between them. */
const mostStepMs = 2500
/** What is looked at while nothing plays counts as this much. */
const stillMs = 1000

/** Which time of an interview has been shown to somebody, in stretches that do not touch. */
export class SeenTime {
  #spans: Span[] = []
  #lastMs: number | undefined

  /** `moving`: it plays, so that what lies between this place and the one before was shown. */
  at(atMs: number, moving: boolean): void {
    const last = this.#lastMs
    if (moving && last !== undefined && atMs > last && atMs - last <= mostStepMs) this.#add(last, atMs)
    else this.#add(atMs, atMs + (moving ? 1 : stillMs))
    this.#lastMs = moving ? atMs : undefined
  }

  /** What follows is another place. */
  leave(): void {
    this.#lastMs = undefined
  }

  get totalMs(): number {
    return this.#spans.reduce((sum, { fromMs, toMs }) => sum + toMs - fromMs, 0)
  }

  has(atMs: number): boolean {
    const span = this.#spans[lastBefore((index) => this.#spans[index]!.fromMs, this.#spans.length, atMs)]
    return span !== undefined && atMs < span.toMs
  }

  /** Whether something of a stretch was shown. */
  touches(fromMs: number, untilMs: number): boolean {
    const span = this.#spans[lastBefore((index) => this.#spans[index]!.fromMs, this.#spans.length, untilMs - 1)]
    return span !== undefined && span.toMs > fromMs
  }

  get spans(): readonly Readonly<Span>[] {
    return this.#spans
  }

  #add(fromMs: number, toMs: number): void {
    const before = this.#spans.filter((span) => span.toMs < fromMs)
    const behind = this.#spans.filter((span) => span.fromMs > toMs)
    const touched = this.#spans.filter((span) => span.toMs >= fromMs && span.fromMs <= toMs)
    const joined = {
      fromMs: Math.min(fromMs, ...touched.map((span) => span.fromMs)),
      toMs: Math.max(toMs, ...touched.map((span) => span.toMs)),
    }
    this.#spans = [...before, joined, ...behind]
  }
}
