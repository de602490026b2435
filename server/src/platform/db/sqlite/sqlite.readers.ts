import { Worker } from 'node:worker_threads'
import { DatabaseBusy, mapDatabaseError } from '../errors.ts'
import type { Param } from '../types.ts'

/** A statement; or the address of a module whose `digest` reads, with what it is given. */
export type ReadJob =
  | { readonly sql: string; readonly params: readonly Param[] }
  | { readonly module: string; readonly input: unknown }
export interface ReadAnswer {
  readonly rows?: unknown[]
  readonly failure?: { readonly message: string; readonly code: string | undefined }
  /** What the statement took. */
  readonly ms: number
}

export interface ReaderOptions {
  readonly threads: number
  /** A read that has not been answered by then is refused. Milliseconds. */
  readonly deadlineMs?: number
}

interface Waiting {
  readonly job: ReadJob
  readonly settle: (answer: ReadAnswer | Error) => void
}

class ReaderThread {
  readonly #worker: Worker
  #job: Waiting | undefined

  constructor(file: string, onFree: (thread: ReaderThread) => void, onGone: (thread: ReaderThread) => void) {
    this.#worker = new Worker(new URL('./sqlite-reader.worker.ts', import.meta.url), {
      workerData: file,
      // Rows are short-lived; by V8's own choice each thread would keep up to 48 MiB for them.
      resourceLimits: { maxYoungGenerationSizeMb: 8 },
    })
    this.#worker.unref()
    this.#worker.on('message', (answer: ReadAnswer) => {
      this.#settle(answer)
      onFree(this)
    })
    let cause: unknown
    this.#worker.on('error', (error) => {
      cause = error
    })
    this.#worker.on('exit', () => {
      onGone(this)
      this.#settle(new Error('a reader thread has ended', { cause }))
    })
  }

  get isFree(): boolean {
    return this.#job === undefined
  }

  run(waiting: Waiting): void {
    this.#job = waiting
    // Awaited now: a process with nothing else to do would end before the answer.
    this.#worker.ref()
    this.#worker.postMessage(waiting.job)
  }

  async close(): Promise<void> {
    const gone = new Promise((resolve) => this.#worker.once('exit', resolve))
    this.#worker.ref()
    this.#worker.postMessage('close')
    await gone
  }

  #settle(answer: ReadAnswer | Error): void {
    const job = this.#job
    this.#job = undefined
    this.#worker.unref()
    job?.settle(answer)
  }
}

const failed = ({ message, code }: NonNullable<ReadAnswer['failure']>): unknown =>
  mapDatabaseError(Object.assign(new Error(message), { code }))

/**
 * Reads in threads of their own, so that none holds up the thread that everything else runs on. Owners have their turn
 * one after the other, however many reads each of them has waiting. A thread that dies is replaced by the next read.
 */
export class SqliteReaders {
  readonly #file: string
  readonly #options: ReaderOptions
  readonly #threads = new Set<ReaderThread>()
  /** In the order of their next turn. */
  readonly #waiting = new Map<string, Waiting[]>()
  #closed = false

  constructor(file: string, options: ReaderOptions) {
    this.#file = file
    this.#options = options
  }

  /** Resolves with the rows, or with what was made of them as the only one; `onSpent` is told what they took, also when they failed. */
  read(owner: string, job: ReadJob, onSpent: (ms: number) => void): Promise<unknown[]> {
    if (this.#closed) return Promise.reject(new Error('the database is closed'))
    const { deadlineMs = 10_000 } = this.#options
    return new Promise((resolve, reject) => {
      const late = setTimeout(() => {
        this.#drop(owner, waiting)
        reject(new DatabaseBusy(new Error(`a read was not answered within ${deadlineMs} ms`)))
      }, deadlineMs)
      const waiting: Waiting = {
        job,
        settle: (answer) => {
          clearTimeout(late)
          if (answer instanceof Error) return reject(answer)
          onSpent(answer.ms)
          if (answer.failure) reject(failed(answer.failure) as Error)
          else resolve(answer.rows ?? [])
        },
      }
      const others = this.#waiting.get(owner)
      if (others) others.push(waiting)
      else this.#waiting.set(owner, [waiting])
      this.#next()
    })
  }

  /** Refuses what waits, finishes what is under way, ends the threads. */
  async close(): Promise<void> {
    this.#closed = true
    const waiting = [...this.#waiting.values()].flat()
    this.#waiting.clear()
    for (const { settle } of waiting) settle(new Error('the database is closed'))
    await Promise.all([...this.#threads].map((thread) => thread.close()))
  }

  #next(): void {
    const [first] = this.#waiting
    if (!first) return
    const thread = [...this.#threads].find(({ isFree }) => isFree) ?? this.#start()
    if (!thread) return
    const [owner, jobs] = first
    const [job, ...rest] = jobs
    this.#waiting.delete(owner)
    if (rest.length > 0) this.#waiting.set(owner, rest)
    if (job) thread.run(job)
  }

  #start(): ReaderThread | undefined {
    if (this.#threads.size >= this.#options.threads || this.#closed) return undefined
    const thread = new ReaderThread(
      this.#file,
      () => this.#next(),
      (gone) => {
        this.#threads.delete(gone)
        this.#next()
      },
    )
    this.#threads.add(thread)
    return thread
  }

  #drop(owner: string, late: Waiting): void {
    const rest = this.#waiting.get(owner)?.filter((one) => one !== late) ?? []
    if (rest.length > 0) this.#waiting.set(owner, rest)
    else this.#waiting.delete(owner)
  }
}
