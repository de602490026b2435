declare module '../../kernel/parts.ts' {
  interface Parts {
    readonly previews: LivePreviews
  }
}

export interface Preview {
  readonly bytes: Buffer
  readonly contentType: string
  /** Epoch milliseconds, by the phone's clock. */
  readonly capturedAt: number
  /** The credential of the phone that shows it. */
  readonly shownBy: string
}

/** Sessions with a still at a time, and how long one is shown when no other comes. */
const maxSessions = 500
const shownForMs = 5 * 60_000

/**
 * The newest live still of each session, in the memory of this process and nowhere else: it is gone with the process,
 * with the session's end, and with the phone.
 */
export class LivePreviews {
  readonly #stills = new Map<string, Preview & { until: number }>()

  /** The newest by capture time wins, whatever order they come in. False for one that is older than what is shown. */
  show(sessionId: string, preview: Preview, now: number): boolean {
    const before = this.get(sessionId, now)
    if (before && before.capturedAt > preview.capturedAt) return false
    // Again at the end: a Map keeps the order of insertion, so its first entry is the longest unchanged.
    this.#stills.delete(sessionId)
    this.#stills.set(sessionId, { ...preview, until: now + shownForMs })
    const [oldest] = this.#stills.keys()
    if (this.#stills.size > maxSessions && oldest !== undefined) this.#stills.delete(oldest)
    return true
  }

  get(sessionId: string, now: number): Preview | undefined {
    const still = this.#stills.get(sessionId)
    if (!still) return undefined
    if (now < still.until) return still
    this.#stills.delete(sessionId)
    return undefined
  }

  drop(sessionId: string): void {
    this.#stills.delete(sessionId)
  }
}
