import type { Parts } from '../../../kernel/parts.ts'
import { inTime } from '../../../platform/in-time.ts'
import type { SealedUpload } from '../../../platform/storage/sealed-upload.ts'

declare module '../../../kernel/parts.ts' {
  interface Parts {
    readonly openUploads: OpenUploads
  }
}

interface Entry {
  readonly held: Promise<SealedUpload>
  users: number
  dropped: boolean
  /** The one verification and finish that is running; all who ask for it wait for the same one. */
  finishing: Promise<unknown> | undefined
}

/** The work goes on; ask again. */
export class StillFinishing extends Error {
  override readonly name = 'StillFinishing'
}

/** Open uploads at most; each holds two files open. */
const most = 64

/** Uploads whose files this process holds open. The rows are the truth: any of them may be let go and opened again. */
export class OpenUploads {
  readonly #entries = new Map<string, Entry>()
  readonly #onError: (error: unknown) => void
  #most = most

  constructor(onError: (error: unknown) => void) {
    this.#onError = onError
  }

  /** Runs `work` with the upload, which is opened when it is not held, and stays open while anybody uses it. */
  async use<T>(id: string, open: () => Promise<SealedUpload>, work: (held: SealedUpload) => Promise<T>): Promise<T> {
    const entry = this.#take(id, open)
    try {
      return await work(await entry.held)
    } finally {
      this.#release(entry)
    }
  }

  /**
   * As `use`, but side by side callers share one run, after which the upload is let go. A run that takes longer than
   * `patienceMs` goes on: the caller gets `StillFinishing`, and whoever asks again gets what became of it.
   */
  async finish<T>(
    id: string,
    open: () => Promise<SealedUpload>,
    work: (held: SealedUpload) => Promise<T>,
    patienceMs: number,
  ): Promise<T> {
    const entry = this.#take(id, open)
    try {
      entry.finishing ??= this.#run(id, entry, work)
      const found = (await inTime(entry.finishing, patienceMs, () => new StillFinishing())) as T
      this.drop(id)
      return found
    } finally {
      this.#release(entry)
    }
  }

  /** The run uses the upload as well, however long its callers wait. One that fails is not kept: the next begins again. */
  async #run<T>(id: string, entry: Entry, work: (held: SealedUpload) => Promise<T>): Promise<T> {
    entry.users++
    try {
      return await work(await entry.held)
    } catch (error) {
      this.drop(id)
      throw error
    } finally {
      this.#release(entry)
    }
  }

  /** Lets go of an upload, as soon as nobody uses it. */
  drop(id: string): void {
    const entry = this.#entries.get(id)
    if (!entry) return
    this.#entries.delete(id)
    entry.dropped = true
    if (entry.users === 0) this.#close(entry)
  }

  /** From now on nothing is held beyond its use. For the end of the process. */
  stop(): void {
    this.#most = 0
    this.#evict()
  }

  #take(id: string, open: () => Promise<SealedUpload>): Entry {
    const known = this.#entries.get(id)
    const entry = known ?? { held: open(), users: 0, dropped: false, finishing: undefined }
    entry.users++
    // Again at the end: a Map keeps the order of insertion, so its first entries are the longest unused.
    this.#entries.delete(id)
    this.#entries.set(id, entry)
    if (!known) entry.held.catch(() => this.drop(id))
    return entry
  }

  #release(entry: Entry): void {
    entry.users--
    if (entry.dropped && entry.users === 0) this.#close(entry)
    else this.#evict()
  }

  #evict(): void {
    for (const [id, entry] of this.#entries) {
      if (this.#entries.size <= this.#most) return
      if (entry.users === 0) this.drop(id)
    }
  }

  #close(entry: Entry): void {
    entry.held.then(
      (sealed) => sealed.close().catch(this.#onError),
      () => undefined,
    )
  }
}

/** Lets go of everything when the process drains. */
export const createOpenUploads = ({ log, draining }: Pick<Parts, 'log' | 'draining'>): OpenUploads => {
  const made = new OpenUploads((error) => log.warn({ err: error }, 'an upload could not be closed'))
  draining.addEventListener('abort', () => made.stop(), { once: true })
  return made
}
