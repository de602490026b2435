import type { PlayerEngine } from './engine.ts'

/** Played before a place and as long after it, milliseconds. */
const aroundMs = 5000
/** Farther behind the end than playing comes between two looks: somebody has gone there. */
const strayMs = 2000

type Played = Pick<PlayerEngine, 'atMs' | 'playing' | 'subscribe' | 'seek' | 'play' | 'pause'>

/** Plays the time around a place once and stops behind it, unless somebody goes elsewhere meanwhile. */
export class Around {
  readonly #engine: Played
  #atMs: number | undefined
  #leave = () => {}

  constructor(engine: Played) {
    this.#engine = engine
  }

  /** The place around which it plays now. */
  get atMs(): number | undefined {
    return this.#atMs
  }

  play(atMs: number): void {
    this.stop()
    const engine = this.#engine
    engine.seek(atMs - aroundMs)
    const [fromMs, toMs] = [engine.atMs, atMs + aroundMs]
    engine.play()
    this.#atMs = atMs
    this.#leave = engine.subscribe(() => {
      const { wanted, phase, atMs: now } = engine.playing()
      const isElsewhere = !wanted || phase === 'scrubbing' || now < fromMs || now > toMs + strayMs
      if (!isElsewhere && now < toMs) return
      this.stop()
      if (!isElsewhere) engine.pause()
    })
  }

  stop(): void {
    this.#leave()
    this.#leave = () => {}
    this.#atMs = undefined
  }
}
