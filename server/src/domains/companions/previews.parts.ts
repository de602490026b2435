import { Cache } from '../../platform/cache.ts'

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

/** Sessions with a still at a time, at least, and how long one is shown when no other comes. */
const maxSessions = 500
const shownForMs = 5 * 60_000

/**
 * The newest live still of each session, in the memory of this process and nowhere else: it is gone with the process,
 * with the session's end, and with the phone.
 */
export class LivePreviews {
  readonly #stills: Cache<Preview>

  /** `now`: epoch milliseconds. */
  constructor(now: () => number) {
    this.#stills = new Cache({ limit: 2 * maxSessions, age: { ms: shownForMs, now } })
  }

  /** The newest by capture time wins, whatever order they come in. False for one that is older than what is shown. */
  show(sessionId: string, preview: Preview): boolean {
    const before = this.get(sessionId)
    if (before && before.capturedAt > preview.capturedAt) return false
    this.#stills.set(sessionId, preview)
    return true
  }

  get(sessionId: string): Preview | undefined {
    return this.#stills.get(sessionId)
  }

  drop(sessionId: string): void {
    this.#stills.delete(sessionId)
  }
}
