import type { SessionPhase } from '@integrity/protocol'
import type { Clock } from '../../shared/clock.ts'
import { describeError } from '../upload/answers.ts'
import type { PolicyWatch } from './policy-watch.ts'
import { Closing } from './service-calls.ts'
import type { ServiceLink } from './service-link.ts'
import type { SessionInput } from './session-machine.types.ts'
import type { SessionRecord } from './session-record.ts'
import type { SessionUpload } from './session-upload.ts'

export interface SessionEndingParts {
  readonly link: Pick<ServiceLink, 'decline' | 'end'>
  readonly record: () => SessionRecord
  readonly keep: (part: Partial<SessionRecord>) => void
  readonly dispatch: (input: SessionInput) => Promise<void>
  readonly phase: () => SessionPhase
  readonly clock: Pick<Clock, 'wallMs'>
  /** Aborted when this program closes. */
  readonly closing: AbortSignal
  readonly upload: Pick<SessionUpload, 'drain'>
  readonly watch: Pick<PolicyWatch, 'idle'>
}

/** Ends a session: reports the end to the service and delivers everything that was captured. */
export class SessionEnding {
  readonly #parts: SessionEndingParts

  constructor(parts: SessionEndingParts) {
    this.#parts = parts
  }

  async sendEnd(reason: string): Promise<void> {
    const { link, record, dispatch } = this.#parts
    await link.end(record(), reason)
    await dispatch({ type: 'end_confirmed' })
  }

  async sendRefusal(): Promise<void> {
    const { link, record, keep, dispatch, clock, closing } = this.#parts
    const declinedAt = record().acceptedAt ?? clock.wallMs()
    keep({ acceptedAt: declinedAt })
    try {
      await link.decline(record(), declinedAt)
      await dispatch({ type: 'refusal_told' })
    } catch (error) {
      if (error instanceof Closing || closing.aborted) return
      await dispatch({ type: 'refusal_told', failure: describeError(error) })
    }
  }

  async drain(): Promise<void> {
    const { upload, watch, phase, dispatch, closing } = this.#parts
    const over = (): Promise<void> => watch.idle().then(() => dispatch({ type: 'drained' }))
    await upload.drain(() => phase() === 'finishing', over, closing)
  }
}
