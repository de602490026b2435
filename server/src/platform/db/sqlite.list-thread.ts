import { Worker } from 'node:worker_threads'
import type { ListedWrite } from './sqlite.list.ts'
import type { WriterOptions } from './sqlite.writer.ts'

/** `undone`: nothing of it is written. `failed`: its COMMIT did, and whoever waits for it must hear so. */
export interface ListOutcome {
  readonly outcome: 'committed' | 'undone' | 'failed'
  readonly message?: string
  readonly code?: string
}

/**
 * A thread with a connection of its own that carries out lists of writes, each as one transaction. Whoever sends one must
 * see to it that nobody else of this process writes meanwhile.
 */
export class ListThread {
  readonly #options: WriterOptions
  #worker: Worker | undefined
  #state: 'none' | 'starting' | 'ready' | 'ended' = 'none'
  #waiting: PromiseWithResolvers<ListOutcome> | undefined

  constructor(options: WriterOptions) {
    this.#options = options
  }

  /** Whether it takes a list now. */
  get ready(): boolean {
    return this.#state === 'ready'
  }

  /** Rejects when the thread dies: then nobody knows what was written. */
  async carryOut(writes: readonly ListedWrite[]): Promise<ListOutcome> {
    if (!this.#worker) return { outcome: 'undone', message: 'the thread that writes has ended' }
    this.#waiting = Promise.withResolvers()
    // A process with nothing else to do waits for it.
    this.#worker.ref()
    this.#worker.postMessage(writes)
    return this.#waiting.promise
  }

  /** Ends the thread. No list may be on its way. */
  async close(): Promise<void> {
    this.#state = 'ended'
    const worker = this.#worker
    if (!worker) return
    const gone = new Promise((resolve) => worker.once('exit', resolve))
    worker.ref()
    worker.postMessage('close')
    await gone
  }

  /** Starts the thread, once. */
  start(): void {
    if (this.#state !== 'none') return
    this.#state = 'starting'
    const { file, busyTimeoutMs } = this.#options
    const workerData: WriterOptions = { file, ...(busyTimeoutMs !== undefined && { busyTimeoutMs }) }
    const worker = new Worker(new URL('./sqlite-list.worker.ts', import.meta.url), { workerData })
    this.#worker = worker
    worker.unref()
    worker.on('message', (message: ListOutcome | 'ready') => {
      if (message === 'ready') {
        if (this.#state === 'starting') this.#state = 'ready'
        return
      }
      worker.unref()
      this.#waiting?.resolve(message)
    })
    worker.on('error', (error) => this.#end(error as Error))
    worker.on('exit', () => this.#end(new Error('the thread that writes has ended')))
  }

  #end(error: Error): void {
    this.#worker = undefined
    if (this.#state !== 'ended') process.emitWarning(error.message, 'WriterThreadEnded')
    this.#state = 'ended'
    this.#waiting?.reject(error)
  }
}
