import type { SealedRecord } from '../spool/sealed-record.ts'
import type { Spool } from '../spool/spool.ts'
import type { SessionStatus } from './agent-session.types.ts'
import type { SessionState } from './session-machine.types.ts'
import { type SessionRecord, sessionRecord } from './session-record.ts'

/** What is known of the joined session, in memory and in its sealed file. */
export class RecordKeeper {
  readonly #file: SealedRecord<SessionRecord>
  #record: SessionRecord | undefined

  constructor(spool: Spool) {
    this.#file = spool.record('session', sessionRecord)
  }

  /** The session an earlier run of this folder left, if any. */
  static saved(spool: Spool): Promise<SessionRecord | undefined> {
    return spool.record('session', sessionRecord).load()
  }

  get current(): SessionRecord | undefined {
    return this.#record
  }

  /** @throws Error before a session is joined */
  get joined(): SessionRecord {
    if (!this.#record) throw new Error('no session has been joined')
    return this.#record
  }

  /** Without its token. */
  view(): SessionStatus['joined'] {
    if (!this.#record) return undefined
    const { token: _token, state: _state, ...view } = this.#record
    return view
  }

  replace(record: SessionRecord): void {
    this.#record = record
  }

  keep(part: Partial<SessionRecord>): void {
    this.#record = { ...this.joined, ...part }
  }

  end(endedAt: number): void {
    if (this.#record) this.keep({ endedAt })
  }

  /** Makes it durable with this state; a session that is over for good leaves nothing, as its token has done its work. */
  async save(state: SessionState, aheadMs: number): Promise<void> {
    if (!this.#record) return
    // Of a refusal that the service has not heard of, the next run tells it.
    if (state.phase === 'done' || (state.phase === 'refused' && state.endKnown)) return this.clear()
    this.keep({ state: { ...state }, clockAheadMs: Math.round(aheadMs) })
    await this.#file.save(this.joined)
  }

  clear(): Promise<void> {
    return this.#file.clear()
  }
}
