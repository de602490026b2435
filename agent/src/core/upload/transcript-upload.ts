import type { CallOptions } from '@integrity/client/calls'
import { IntegrityError } from '@integrity/client/errors'
import type { Client } from '@integrity/client/every-endpoint'
import { maxSegmentBatch, type QueuedSegment, type TranscriptQueue } from '../spool/transcript-queue.ts'
import type { Failure } from './answers.ts'

/** What the uploader lends, among it what a failure means for everything else. */
export interface TranscriptUploadOptions {
  readonly queue: TranscriptQueue
  readonly client: Client
  readonly sessionId: string
  /** How long to wait for an answer. */
  readonly how: Pick<CallOptions, 'signal' | 'timeoutMs'>
  readonly answered: () => void
  readonly note: (error: unknown) => Failure
  readonly retryAt: (waitMs: number, attempts: number) => number
}

/** Indexes of the segments a refused batch names as at fault (`segments.3.endMs`), in order. */
const segmentsAtFault = (error: unknown): number[] => {
  if (!(error instanceof IntegrityError)) return []
  const indexes = error.details.flatMap(({ path }) => {
    const match = /^(?:body\.)?segments\.(\d+)(?:\.|$)/.exec(path)
    return match ? [Number(match[1])] : []
  })
  return [...new Set(indexes)].sort((a, b) => a - b)
}

const isConflict = (error: unknown): boolean => error instanceof IntegrityError && error.status === 409

/** Sends segments of the transcript in their order, one batch at a time. The service knows a segment by its id. */
export class TranscriptUpload {
  readonly #options: TranscriptUploadOptions
  #limit = maxSegmentBatch
  #sending = false

  constructor(options: TranscriptUploadOptions) {
    this.#options = options
  }

  get sending(): boolean {
    return this.#sending
  }

  /** Claims what is due; undefined when nothing is, or a batch is under way. */
  claim(): (() => Promise<void>) | undefined {
    if (this.#sending) return undefined
    const batch = this.#options.queue.next(this.#limit)
    if (batch.length === 0) return undefined
    this.#sending = true
    return async () => {
      try {
        await this.#send(batch)
      } finally {
        this.#sending = false
      }
    }
  }

  async #send(batch: readonly QueuedSegment[]): Promise<void> {
    const { client, queue, sessionId, how, answered } = this.#options
    const segments = batch.map(({ segment }) => segment)
    try {
      await client.call('agent.transcript.upsert', {
        params: { id: sessionId },
        body: { segments },
        ...how,
      })
      queue.ack(batch)
      this.#limit = maxSegmentBatch
      answered()
    } catch (error) {
      this.#failed(batch, error)
    }
  }

  #failed(batch: readonly QueuedSegment[], error: unknown): void {
    const { queue, note, retryAt } = this.#options
    const failure = note(error)
    if (failure.kind === 'retry') {
      queue.fail(batch, retryAt(failure.waitMs, Math.max(...batch.map(({ attempts }) => attempts))))
    } else if (failure.kind === 'refuse') {
      const faulty = segmentsAtFault(error).flatMap((index) => batch[index] ?? [])
      if (faulty.length > 0) queue.refuse(faulty, failure.reason)
      // The policy may have switched it off at some instant: what was said before is still taken. After an end (409) nothing is.
      else if (batch.length > 1 && !isConflict(error)) this.#limit = Math.ceil(batch.length / 2)
      else queue.refuse(batch, failure.reason)
    }
    queue.release(batch)
  }
}
