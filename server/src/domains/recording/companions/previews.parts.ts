import type { SharedMemory } from '../../../kernel/shared/shared-memory.ts'
import { Cache } from '../../../platform/cache.ts'

declare module '../../../kernel/parts.ts' {
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
/** Outside of this process a still lies for less: the next one is there in seconds. */
const sharedForMs = 60_000

type Shared = Pick<SharedMemory, 'blobs'>

const nameOf = (sessionId: string): string => `preview ${sessionId}`

/** A line that says what it is, and the picture. */
const pack = ({ bytes, ...about }: Preview): Buffer => Buffer.concat([Buffer.from(`${JSON.stringify(about)}\n`), bytes])
const unpack = (packed: Buffer): Preview => {
  const end = packed.indexOf('\n')
  const about = JSON.parse(packed.subarray(0, end).toString()) as Omit<Preview, 'bytes'>
  return { ...about, bytes: packed.subarray(end + 1) }
}

/**
 * The newest live still of each session, in memory and nowhere else: of this process where it is the only one, or while the
 * memory that all share is away, and otherwise in that. It is gone with the memory, with the session's end, and with the phone.
 */
export class LivePreviews {
  readonly #stills: Cache<Preview>
  readonly #shared: Shared

  /** `now`: epoch milliseconds. */
  constructor(now: () => number, shared: Shared) {
    this.#stills = new Cache({ limit: 2 * maxSessions, age: { ms: shownForMs, now } })
    this.#shared = shared
  }

  /** The newest by capture time wins, whatever order they come in. False for one that is older than what is shown. */
  async show(sessionId: string, preview: Preview): Promise<boolean> {
    const before = await this.get(sessionId)
    if (before && before.capturedAt > preview.capturedAt) return false
    const { blobs } = this.#shared
    const shared = blobs?.keep(nameOf(sessionId), pack(preview), sharedForMs)
    const isShared = (await shared?.then(() => true).catch(() => false)) === true
    if (isShared) this.#stills.delete(sessionId)
    else this.#stills.set(sessionId, preview)
    return true
  }

  async get(sessionId: string): Promise<Preview | undefined> {
    const here = this.#stills.get(sessionId)
    const packed = await this.#shared.blobs?.get(nameOf(sessionId)).catch(() => undefined)
    if (packed === undefined) return here
    const shared = unpack(packed)
    return here && here.capturedAt > shared.capturedAt ? here : shared
  }

  /** A still that cannot be reached now is not shown either, and gone in a minute. */
  drop(sessionId: string): void {
    this.#stills.delete(sessionId)
    this.#shared.blobs?.forget(nameOf(sessionId)).catch(() => undefined)
  }
}
