import { mapDatabaseError, TransactionMisuse } from './errors.ts'

/** What a transaction of either engine is besides its statements: open or not, failed or not, and who to wake. */
export abstract class OpenTx {
  /** False before `work` starts and after it has settled. */
  open = false
  /** The first statement that failed; the transaction cannot succeed any more. */
  failure: unknown = undefined
  #callbacks: (() => void)[] | undefined

  /** Why no statement may run now, if so. */
  protected refusal(): Error | undefined {
    if (!this.open) return new TransactionMisuse('the transaction has ended; its Tx cannot be used any more')
    if (this.failure === undefined) return undefined
    return new TransactionMisuse('a statement of this transaction has failed; nothing more can run in it', {
      cause: this.failure,
    })
  }

  /** Notes a failed statement and returns its error in the project's terms. */
  protected fail(error: unknown): unknown {
    const mapped = mapDatabaseError(error)
    this.failure ??= mapped
    return mapped
  }

  afterCommit(callback: () => void): void {
    if (!this.open) throw new TransactionMisuse('the transaction has ended; afterCommit would never be called')
    this.#callbacks ??= []
    this.#callbacks.push(callback)
  }

  /** Runs what afterCommit gathered. The rows are durable by now, so a callback that throws must not undo the answer. */
  runCallbacks(): void {
    if (this.#callbacks === undefined) return
    for (const callback of this.#callbacks) {
      try {
        callback()
      } catch (error) {
        process.emitWarning(error instanceof Error ? error : String(error), 'AfterCommitFailed')
      }
    }
  }
}
