import { Worker } from 'node:worker_threads'
import { awake } from './awake.ts'

export interface ThreadOptions {
  /** Of a module that answers each message with one message. */
  readonly module: URL
  /** A job that has not been answered by then is given up, and its thread with it. Milliseconds. */
  readonly deadlineMs: number
  /** Without a job for so long, the thread ends. Milliseconds. */
  readonly idleMs: number
  /** Of the thread's old generation; what needs more fails by itself. MiB. */
  readonly maxMemoryMiB: number
}

/** A job was not answered in time, or its thread died of it. */
export class ThreadGaveUp extends Error {
  override readonly name = 'ThreadGaveUp'
}

/**
 * A thread of its own for work on what strangers sent, one job after the other: begun with the first job, ended when it has been
 * idle. Whatever a job does, it holds up nothing but its thread, and no longer than its deadline.
 */
export class WorkerThread<Job, Answer> {
  readonly #options: ThreadOptions
  #worker: Worker | undefined
  #last: Promise<unknown> = Promise.resolve()
  #idle: NodeJS.Timeout | undefined

  constructor(options: ThreadOptions) {
    this.#options = options
  }

  /** Rejects with `ThreadGaveUp`. */
  run(job: Job): Promise<Answer> {
    const answer = this.#last.then(() => this.#answerOf(job))
    this.#last = answer.catch(() => undefined)
    return answer
  }

  #open(): Worker {
    const { module, maxMemoryMiB } = this.#options
    const worker = new Worker(module, {
      resourceLimits: { maxOldGenerationSizeMb: maxMemoryMiB, maxYoungGenerationSizeMb: 8 },
    })
    worker.unref()
    // One that dies without a job is told of by nobody; the next job begins another.
    worker.on('error', () => undefined)
    worker.once('exit', () => {
      if (this.#worker === worker) this.#worker = undefined
    })
    this.#worker = worker
    return worker
  }

  /** Before it has ended, so that a job that comes meanwhile begins another. */
  #end(): void {
    const worker = this.#worker
    this.#worker = undefined
    void worker?.terminate()
  }

  async #answerOf(job: Job): Promise<Answer> {
    clearTimeout(this.#idle)
    const worker = this.#worker ?? this.#open()
    // Awaited now: a process with nothing else to do would end before the answer.
    worker.ref()
    const { promise, resolve, reject } = Promise.withResolvers<Answer>()
    const giveUp = (cause?: unknown) => {
      reject(new ThreadGaveUp('a job was given up', { cause }))
      if (this.#worker === worker) this.#worker = undefined
      void worker.terminate()
    }
    const patience = new AbortController()
    void awake(this.#options.deadlineMs, patience.signal).then(() => !patience.signal.aborted && giveUp())
    worker.on('message', resolve).on('error', giveUp).on('exit', giveUp)
    worker.postMessage(job)
    try {
      return await promise
    } finally {
      patience.abort()
      worker.off('message', resolve).off('error', giveUp).off('exit', giveUp)
      worker.unref()
      this.#idle = setTimeout(() => this.#end(), this.#options.idleMs).unref()
    }
  }
}
