import { agentLanes, type LaneName } from '@integrity/protocol'
import type { AskConsent, ConsentAnswer, ConsentQuestion } from '../core/session/ports.ts'
import type { LaneAnswers } from '../core/session/session-machine.types.ts'
import type { Clock } from '../shared/clock.ts'
import type { Problem, WindowState } from '../shared/ipc/window-state.ts'
import { consentChanges } from './consent-changes.ts'

interface Asked {
  readonly question: ConsentQuestion
  readonly give: (answer: ConsentAnswer | undefined) => void
  /** Agreed; the devices are tried before it is given. */
  agreed: ConsentAnswer | undefined
}

/** Holds the session's question until the candidate has answered it in the window. */
export class ConsentPrompt {
  readonly #clock: Clock
  readonly #onChange: () => void
  #asked: Asked | undefined

  constructor(clock: Clock, onChange: () => void) {
    this.#clock = clock
    this.#onChange = onChange
  }

  /** For the session: resolves with the candidate's answer, undefined for a refusal. */
  readonly ask: AskConsent = (question, signal) => {
    const { promise, resolve } = Promise.withResolvers<ConsentAnswer | undefined>()
    // The session's next phase is what the window hears of.
    const give = (answer: ConsentAnswer | undefined): void => {
      this.#asked = undefined
      resolve(answer)
    }
    this.#asked = { question, give, agreed: undefined }
    signal.addEventListener('abort', () => give(undefined), { once: true })
    this.#onChange()
    return promise
  }

  get question(): ConsentQuestion | undefined {
    return this.#asked?.question
  }

  /** The lanes agreed to, while their devices are tried. */
  get agreed(): LaneAnswers | undefined {
    return this.#asked?.agreed?.answers
  }

  /** Takes an answer to each lane of the document with this hash; a lane that is not named is declined. */
  agree(hash: string, given: LaneAnswers): Problem | undefined {
    const asked = this.#asked
    if (!asked) return { code: 'unexpected' }
    if (hash !== asked.question.document.hash) return { code: 'consent_incomplete' }
    const own = asked.question.document.lanes.filter(({ lane }) => (agentLanes as readonly LaneName[]).includes(lane))
    if (own.some(({ lane, required }) => required && given[lane] !== true)) return { code: 'consent_incomplete' }
    const answers = Object.fromEntries(own.map(({ lane }) => [lane, given[lane] === true]))
    asked.agreed = { answers, acceptedAt: this.#clock.wallMs() }
    this.#onChange()
    return undefined
  }

  /** Back to the page; what was answered is forgotten. */
  reconsider(): void {
    if (this.#asked) this.#asked.agreed = undefined
    this.#onChange()
  }

  decline(): void {
    this.#asked?.give(undefined)
  }

  /** The devices were tried: the answer counts. */
  confirm(): boolean {
    const { agreed, give } = this.#asked ?? {}
    if (!agreed) return false
    give?.(agreed)
    return true
  }

  view(
    capabilities: readonly { observer: string; status: 'observable' | 'not_observable'; why?: string | undefined }[],
  ): WindowState['consent'] | undefined {
    const question = this.#asked?.question
    if (!question) return undefined
    const { document, config, previous } = question
    return {
      document,
      config,
      ...(previous ? { changes: consentChanges(previous, document) } : {}),
      capabilities: capabilities.map(({ observer, status, why }) => ({
        observer,
        status,
        ...(why === undefined ? {} : { why }),
      })),
    }
  }
}
