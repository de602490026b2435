interface Stretch {
  readonly streamMs: number
  readonly wallMs: number
  lengthMs: number
}

/** Sound whose beginning lies further from the end of the sound before it is not its continuation. */
const holeMs = 500

/**
 * Which instant each millisecond of the sound given to a recogniser was heard at. Sound that follows without a hole is
 * one stretch; silence put in by us belongs to no stretch.
 */
export class TimeMap {
  #stretches: Stretch[] = []
  #streamMs = 0

  /** Milliseconds given so far, with the silence. */
  get streamMs(): number {
    return this.#streamMs
  }

  /** Whether sound heard at `wallMs` would begin after a hole. */
  isHole(wallMs: number): boolean {
    const last = this.#stretches.at(-1)
    return last !== undefined && Math.abs(wallMs - (last.wallMs + last.lengthMs)) > holeMs
  }

  sound(wallMs: number, lengthMs: number): void {
    const last = this.#stretches.at(-1)
    const follows = last && last.streamMs + last.lengthMs === this.#streamMs && !this.isHole(wallMs)
    if (follows) last.lengthMs += lengthMs
    else this.#stretches.push({ streamMs: this.#streamMs, wallMs, lengthMs })
    this.#streamMs += lengthMs
  }

  silence(lengthMs: number): void {
    this.#streamMs += lengthMs
  }

  /** Epoch ms; undefined before the first sound. What falls into silence is put to the end of the sound before it. */
  wallAt(streamMs: number): number | undefined {
    const stretch = this.#stretches.findLast((candidate) => candidate.streamMs <= streamMs) ?? this.#stretches[0]
    if (!stretch) return undefined
    return stretch.wallMs + Math.max(0, Math.min(stretch.lengthMs, streamMs - stretch.streamMs))
  }

  /** Forgets what lies before; nobody will ask for it any more. */
  forgetBefore(streamMs: number): void {
    const keep = this.#stretches.findLastIndex((candidate) => candidate.streamMs <= streamMs)
    if (keep > 0) this.#stretches.splice(0, keep)
  }
}
