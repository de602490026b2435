import type { SessionConfig } from '@integrity/protocol'
import { describeError } from '../upload/answers.ts'
import type { AskConsent, ConsentDocument } from './ports.ts'
import type { ServiceLink } from './service-link.ts'
import type { SessionInput } from './session-machine.types.ts'
import type { SessionRecord } from './session-record.ts'

export interface ConsentAskingOptions {
  readonly ask: AskConsent
  readonly link: ServiceLink
  readonly record: () => SessionRecord
  /** Keeps what belongs to the answer in the record. */
  readonly keep: (part: Partial<Pick<SessionRecord, 'document' | 'acceptedAt'>>) => void
  /** The policy that the document was made of. */
  readonly config: () => SessionConfig | undefined
  readonly dispatch: (input: SessionInput) => Promise<void>
  readonly onTrouble: (trouble: string) => void
  readonly closing: AbortSignal
}

/** Puts the document to the candidate: one question at a time, and a newer one takes the place of the one before. */
export class ConsentAsking {
  readonly #options: ConsentAskingOptions
  #open: AbortController | undefined
  /** What the candidate answered before the policy changed. */
  #previous: ConsentDocument | undefined
  #reading = 0

  constructor(options: ConsentAskingOptions) {
    this.#options = options
  }

  async ask(): Promise<void> {
    const { record, keep, config: policy, dispatch, closing } = this.#options
    const { document, orgName, inviter } = record()
    const config = policy()
    if (!config) throw new Error('consent is asked for before the policy is known')
    const open = new AbortController()
    this.#open = open
    const signal = AbortSignal.any([closing, open.signal])
    const question = { document, orgName, inviter, config, previous: this.#previous }
    const answer = await this.#options.ask(question, signal)
    if (signal.aborted) return
    this.#open = undefined
    if (!answer) return dispatch({ type: 'consent_refused' })
    keep({ acceptedAt: answer.acceptedAt })
    await dispatch({ type: 'consented', answers: answer.answers })
  }

  /** The policy has changed since the answer: another document takes the place of the one that was answered. */
  replace(document: ConsentDocument): void {
    this.#previous = this.#options.record().document
    this.#options.keep({ document })
  }

  /**
   * Reads the document in the language that the candidate reads now and puts the open question again, unless it was
   * answered in the meantime, `wanted` says no, or nothing is different. Without an answer of the service the question
   * stays as it is.
   */
  async relocalise(wanted: () => boolean): Promise<void> {
    const { link, record, keep, config: policy, dispatch, onTrouble, closing } = this.#options
    this.#reading += 1
    const turn = this.#reading
    try {
      const { config, document } = await link.readDocument(record())
      const open = this.#open
      if (turn !== this.#reading || !open || !wanted() || document.hash === record().document.hash) return
      // From here on an answer to the other words does not count.
      open.abort()
      // Where nothing but the language is different, nothing is told as changed; else everything is to be read again.
      this.#previous = JSON.stringify(config) === JSON.stringify(policy()) ? undefined : record().document
      keep({ document })
      await dispatch({ type: 'document_changed', config })
    } catch (error) {
      if (!closing.aborted) onTrouble(`the document was not read in another language: ${describeError(error)}`)
    }
  }
}
