import type Database from 'better-sqlite3'
import { gather } from '../../gather.ts'
import { mapCommitError, mapDatabaseError, TransactionMisuse } from '../errors.ts'
import type { SqliteTx } from './sqlite.tx.ts'

/** A transaction that waits for its group. `run` carries the caller's async context. */
export interface Waiting {
  readonly tx: SqliteTx
  readonly run: () => Promise<unknown>
  readonly resolve: (value: unknown) => void
  readonly reject: (error: unknown) => void
  outcome: Outcome | undefined
}

type Outcome = { readonly ok: true; readonly value: unknown } | { readonly ok: false; readonly error: unknown }

/** At most this many transactions share one commit: the event loop is blocked while a group runs. */
const groupLimit = 256
/**
 * A group whose work takes this many times as long as its commit waits for no more members: it would save a few parts in
 * a hundred, while those who have sent it wait for their answers and send nothing.
 */
const workPerCommit = 4
/** The share of the newest group in the means. */
const newest = 0.1
/** What is less is not told apart. */
const leastMs = 0.001

export interface GroupOptions {
  readonly stallMs: number
  /** At most this many share one commit; 256 unless told. */
  readonly limit?: number | undefined
  /** Is told how many shared a commit, after each. */
  readonly onGroup: (size: number) => void
  /** Milliseconds, for measuring spans. */
  readonly now: () => number
}

/**
 * Group commit: what arrives while the event loop brings more is written in one BEGIN … COMMIT, each
 * transaction in its own savepoint, and everybody is answered only after the COMMIT is on the disk.
 */
export class GroupCommit {
  readonly #database: Database.Database
  readonly #options: GroupOptions
  readonly #statements: Record<'begin' | 'commit' | 'rollback' | 'save' | 'release' | 'undo', Database.Statement<[]>>
  #queue: Waiting[] = []
  #scheduled = false
  #onIdle: (() => void)[] = []
  #endCurrent: ((outcome: Outcome) => void) | undefined
  /** Means of late, in milliseconds. */
  #commitMs = 1
  #memberMs = 1 / groupLimit

  constructor(database: Database.Database, options: GroupOptions) {
    this.#database = database
    this.#options = options
    const prepare = (sql: string) => database.prepare<[]>(sql)
    this.#statements = {
      // IMMEDIATE: a lock taken later, by an upgrade, fails at once instead of waiting for the other writer.
      begin: prepare('BEGIN IMMEDIATE'),
      commit: prepare('COMMIT'),
      rollback: prepare('ROLLBACK'),
      save: prepare('SAVEPOINT member'),
      release: prepare('RELEASE member'),
      undo: prepare('ROLLBACK TO member'),
    }
  }

  add(waiting: Waiting): void {
    this.#queue.push(waiting)
    this.#schedule()
  }

  /** Resolves when nothing waits and nothing runs. */
  idle(): Promise<void> {
    if (!this.#scheduled) return Promise.resolve()
    return new Promise((resolve) => this.#onIdle.push(resolve))
  }

  #schedule(): void {
    if (this.#scheduled) return
    this.#scheduled = true
    // A commit costs the same for one as for many.
    const { limit = groupLimit } = this.#options
    const enough = Math.min(limit, Math.ceil((workPerCommit * this.#commitMs) / this.#memberMs))
    void gather(() => this.#queue.length, enough).then(() => this.#turn(enough))
  }

  async #turn(limit: number): Promise<void> {
    await this.#commitGroup(this.#queue.splice(0, limit))
    this.#scheduled = false
    if (this.#queue.length > 0) this.#schedule()
    else for (const resolve of this.#onIdle.splice(0)) resolve()
  }

  /** Runs one group to its end and answers its members; never rejects. */
  async #commitGroup(group: readonly Waiting[]): Promise<void> {
    // One timer for the group, not for each member: it is on the hot path.
    const { stallMs, onGroup, now } = this.#options
    const stall = setInterval(() => this.#onStall(), stallMs)
    try {
      this.#statements.begin.run()
      const began = now()
      if (group.length === 1) await this.#runAlone(group[0]!)
      else await this.#runMembers(group)
      const worked = now()
      if (this.#database.inTransaction) this.#commit()
      this.#measure((worked - began) / group.length, now() - worked)
    } catch (error) {
      this.#refuseAll(group, error)
      return
    } finally {
      clearInterval(stall)
      this.#endCurrent = undefined
    }
    onGroup(group.length)
    for (const waiting of group) {
      if (waiting.outcome?.ok === true) waiting.tx.runCallbacks()
      answer(waiting)
    }
  }

  #commit(): void {
    try {
      this.#statements.commit.run()
    } catch (error) {
      throw mapCommitError(error)
    }
  }

  #measure(memberMs: number, commitMs: number): void {
    this.#memberMs += (Math.max(memberMs, leastMs) - this.#memberMs) * newest
    this.#commitMs += (Math.max(commitMs, leastMs) - this.#commitMs) * newest
  }

  /** A single transaction needs no savepoint: its failure is the whole transaction's. */
  async #runAlone(waiting: Waiting): Promise<void> {
    await this.#runWork(waiting)
    if (waiting.outcome?.ok === false && this.#database.inTransaction) this.#statements.rollback.run()
  }

  async #runMembers(group: readonly Waiting[]): Promise<void> {
    const { save, release, undo } = this.#statements
    for (const waiting of group) {
      save.run()
      await this.#runWork(waiting)
      if (waiting.outcome?.ok === false) {
        // A full disk or an I/O error ends the whole transaction inside SQLite: nobody's rows are left to commit.
        if (!this.#database.inTransaction) throw waiting.outcome.error
        undo.run()
      }
      release.run()
    }
  }

  /** Runs one work until it settles, or until it has kept the writer for too long. Never rejects. */
  #runWork(waiting: Waiting): Promise<void> {
    const { tx } = waiting
    return new Promise((done) => {
      const end = (outcome: Outcome) => {
        if (waiting.outcome !== undefined) return
        tx.open = false
        // A work that swallowed a statement's error has failed all the same; one that translated it is heard.
        waiting.outcome = outcome.ok && tx.failure !== undefined ? { ok: false, error: tx.failure } : outcome
        done()
      }
      this.#endCurrent = end
      tx.open = true
      try {
        waiting.run().then(
          (value) => end({ ok: true, value }),
          (error: unknown) => end({ ok: false, error }),
        )
      } catch (error) {
        end({ ok: false, error })
      }
    })
  }

  /** The work that runs now awaits something that is not a statement: without this, nobody could write again. */
  #onStall(): void {
    const message = `the transaction kept the writer for ${this.#options.stallMs} ms: it awaits something besides statements`
    this.#endCurrent?.({ ok: false, error: new TransactionMisuse(message) })
  }

  #refuseAll(group: readonly Waiting[], error: unknown): void {
    const mapped = mapDatabaseError(error)
    try {
      if (this.#database.inTransaction) this.#statements.rollback.run()
    } catch (rollbackError) {
      process.emitWarning(rollbackError as Error, 'RollbackFailed')
    }
    for (const waiting of group) {
      if (waiting.outcome?.ok !== false) waiting.outcome = { ok: false, error: mapped }
      answer(waiting)
    }
  }
}

const answer = (waiting: Waiting): void => {
  const { outcome } = waiting
  if (outcome?.ok === true) waiting.resolve(outcome.value)
  else waiting.reject(outcome?.error)
}
