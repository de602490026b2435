import { Worker } from 'node:worker_threads'

/** So many groups are worth a checkpoint: hot pages are written with each, and copied only once. */
const groupsBetween = 100
/** A copy of many seconds holds the disk for so long that commits wait for it, whichever thread makes it. */
const leastIntervalMs = 1_000
/** Without a commit for so long, the log is emptied: it has grown with the load and would keep its length. */
const defaultQuietMs = 10_000

export interface CheckpointOptions {
  readonly afterGroups?: number
  readonly intervalMs?: number
  readonly quietMs?: number
  /** The worker cannot do it: the writer must, as SQLite does by itself. */
  readonly onFailure: (error: Error) => void
}

/** What one run found: frames in the write-ahead log, and how many of them are in the database file now. */
export interface CheckpointResult {
  readonly frames: number
  readonly copied: number
  /** The log was begun again, because it had grown large while the load never paused, or emptied in a pause. */
  readonly restarted: boolean
}

/**
 * Copies the write-ahead log into the database file in a thread of its own. On the writer's thread each copy of 32 MiB
 * with its fsync stops every request for a tenth of a second or more. The worker is started when there is something to do.
 */
export class Checkpointer {
  readonly #file: string
  readonly #options: CheckpointOptions
  #worker: Worker | undefined
  #groups = 0
  #running = false
  #lastAt = 0
  #timer: NodeJS.Timeout | undefined
  #quiet: NodeJS.Timeout | undefined
  #closed = false
  /** Resolves the runs that wait for an answer; for tests. */
  #onResult: ((result: CheckpointResult) => void)[] = []

  constructor(file: string, options: CheckpointOptions) {
    this.#file = file
    this.#options = options
  }

  /** To be called after each COMMIT. */
  committed(): void {
    this.#groups += 1
    if (this.#closed) return
    this.#quiet ??= setTimeout(() => this.#run('quiet'), this.#options.quietMs ?? defaultQuietMs).unref()
    this.#quiet.refresh()
    const { afterGroups = groupsBetween, intervalMs = leastIntervalMs } = this.#options
    if (this.#groups < afterGroups || this.#running || this.#closed || this.#timer) return
    const wait = Math.max(0, this.#lastAt + intervalMs - performance.now())
    this.#timer = setTimeout(() => this.#run('checkpoint'), wait)
    this.#timer.unref()
  }

  /** Copies all of the log and empties it; false while somebody reads from it, or when it cannot be done. */
  async empty(): Promise<boolean> {
    if (this.#closed) return false
    const result = this.next()
    this.#run('empty')
    return (await result).restarted
  }

  /** The result of the next run. */
  next(): Promise<CheckpointResult> {
    return new Promise((resolve) => this.#onResult.push(resolve))
  }

  /** Ends the thread; a copy that is under way is finished first. */
  async close(): Promise<void> {
    this.#closed = true
    clearTimeout(this.#timer)
    clearTimeout(this.#quiet)
    const worker = this.#worker
    this.#worker = undefined
    if (!worker) return
    const gone = new Promise((resolve) => worker.once('exit', resolve))
    // Waited for now: a process with nothing else to do would end before what follows the close.
    worker.ref()
    worker.postMessage('close')
    await gone
  }

  #run(how: 'checkpoint' | 'quiet' | 'empty'): void {
    clearTimeout(this.#timer)
    this.#timer = undefined
    this.#groups = 0
    this.#running = true
    this.#worker ??= this.#start()
    this.#worker.postMessage(how)
  }

  #start(): Worker {
    const worker = new Worker(new URL('./sqlite-checkpoint.worker.ts', import.meta.url), {
      workerData: this.#file,
      resourceLimits: { maxYoungGenerationSizeMb: 2 },
    })
    worker.unref()
    worker.on('message', (result: CheckpointResult) => {
      this.#running = false
      this.#lastAt = performance.now()
      for (const tell of this.#onResult.splice(0)) tell(result)
    })
    worker.on('error', (error) => {
      this.#closed = true
      this.#worker = undefined
      for (const tell of this.#onResult.splice(0)) tell({ frames: 0, copied: 0, restarted: false })
      this.#options.onFailure(error as Error)
    })
    return worker
  }
}
