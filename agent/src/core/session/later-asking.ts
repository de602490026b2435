import type { LaneName, SessionConfig } from '@integrity/protocol'
import type { Clock } from '../../shared/clock.ts'
import { describeError } from '../upload/answers.ts'
import type { ConsentDocument } from './ports.ts'
import { Closing, isStatus } from './service-calls.ts'
import type { ServiceLink } from './service-link.ts'
import { lanesAskedLater } from './session-machine.ts'
import type { LaneAnswers, SessionInput, SessionState } from './session-machine.types.ts'
import type { SessionRecord } from './session-record.ts'

/** What the policy asks for since the session runs; everything that was agreed before goes on meanwhile. */
export interface LaterQuestion {
  /** The whole document that is in force now. */
  readonly document: ConsentDocument
  readonly config: SessionConfig
  /** The document that was answered before. */
  readonly previous: ConsentDocument
  /** Lanes without an answer to it. */
  readonly lanes: readonly LaneName[]
  /** Of them, those whose answer is on its way to the service. */
  readonly sending: readonly LaneName[]
}

export interface LaterAskingOptions {
  readonly link: ServiceLink
  readonly clock: Clock
  readonly record: () => SessionRecord
  readonly state: () => SessionState
  /** Keeps what belongs to the answer in the record. */
  readonly keep: (part: Partial<Pick<SessionRecord, 'document' | 'acceptedAt'>>) => void
  readonly dispatch: (input: SessionInput) => Promise<void>
  /** Another document is asked about than before. */
  readonly onAsked: ((question: LaterQuestion) => void) | undefined
  readonly onTrouble: (trouble: string) => void
  readonly inBackground: (work: () => Promise<void>) => void
}

type Asked = Omit<LaterQuestion, 'lanes' | 'sending'> & {
  readonly policyVersion: number
  readonly lanes: readonly LaneName[]
}

/**
 * Asks about what the policy switched on or widened while the session runs: lane by lane, for as long as it takes. An
 * answer counts once the service has it, and only then the lane starts.
 */
export class LaterAsking {
  readonly #options: LaterAskingOptions
  #asked: Asked | undefined
  /** The version of the policy whose document is being read. */
  #reading: number | undefined
  /** Of the one that is not asked about again: its document names nothing, or the service refused the answer. */
  #settled: number | undefined
  #given: LaneAnswers = {}
  #acceptedAt = 0
  #sending = false

  constructor(options: LaterAskingOptions) {
    this.#options = options
  }

  question(): LaterQuestion | undefined {
    if (!this.#asked || this.#asked.lanes.length === 0) return undefined
    const { policyVersion: _, ...question } = this.#asked
    return { ...question, sending: question.lanes.filter((lane) => this.#given[lane] !== undefined) }
  }

  /** Looks whether there is something to ask; to be called after each change of the session and now and then. */
  consider(): void {
    if (this.#sending) return
    const state = this.#options.state()
    const lanes = lanesAskedLater(state)
    if (lanes.length === 0) {
      this.#asked = undefined
      return
    }
    const { policyVersion } = state
    if (this.#asked?.policyVersion === policyVersion) this.#narrow(lanes)
    else if (policyVersion !== this.#reading && policyVersion !== this.#settled) {
      this.#reading = policyVersion
      this.#options.inBackground(() => this.#read(policyVersion))
    }
  }

  /** A lane was answered, or withdrawn since. */
  #narrow(lanes: readonly LaneName[]): void {
    if (this.#asked) this.#asked = { ...this.#asked, lanes: this.#asked.lanes.filter((lane) => lanes.includes(lane)) }
  }

  /** The candidate reads another language now: the question is put again in it. */
  relocalise(): void {
    if (!this.#asked || this.#sending) return
    const { policyVersion } = this.#asked
    this.#reading = policyVersion
    this.#options.inBackground(() => this.#read(policyVersion))
  }

  /** Takes answers to lanes of the document with this hash; false when it is not the one that is asked about. */
  answer(hash: string, given: LaneAnswers): boolean {
    const asked = this.#asked
    if (asked?.document.hash !== hash) return false
    const lanes = asked.lanes.filter((lane) => given[lane] !== undefined && this.#given[lane] === undefined)
    if (lanes.length === 0) return false
    this.#given = { ...this.#given, ...Object.fromEntries(lanes.map((lane) => [lane, given[lane]])) }
    this.#acceptedAt = this.#options.clock.wallMs()
    if (!this.#sending) {
      this.#sending = true
      this.#options.inBackground(() => this.#send())
    }
    return true
  }

  async #read(policyVersion: number): Promise<void> {
    const { link, record, state, dispatch, onAsked, onTrouble } = this.#options
    try {
      const { document, ...read } = await link.readDocument(record())
      const { config, policyVersion: now, ended } = read
      // Another policy by now, or another reading has begun: that one counts.
      if (this.#reading !== policyVersion || this.#sending) return
      this.#reading = undefined
      if (now !== state().policyVersion || ended) {
        await dispatch({ type: 'config_read', ...read })
        return
      }
      const named = new Set(document.lanes.map(({ lane }) => lane))
      const lanes = lanesAskedLater(state()).filter((lane) => named.has(lane))
      if (lanes.length === 0) {
        this.#settled = policyVersion
        return
      }
      this.#asked = { document, config, previous: record().document, policyVersion, lanes }
      onAsked?.({ document, config, previous: record().document, lanes, sending: [] })
    } catch (error) {
      if (this.#reading === policyVersion) this.#reading = undefined
      if (error instanceof Closing || isStatus(error, 401)) throw error
      onTrouble(`what the policy asks for now was not read: ${describeError(error)}`)
    }
  }

  async #send(): Promise<void> {
    try {
      for (let given = this.#given; Object.keys(given).length > 0; given = this.#given) await this.#sendOne(given)
    } finally {
      this.#given = {}
      this.#sending = false
    }
    this.consider()
  }

  async #sendOne(given: LaneAnswers): Promise<void> {
    const { link, record, state, keep, dispatch, onTrouble } = this.#options
    const asked = this.#asked
    const acceptedAt = this.#acceptedAt
    if (!asked) return this.#forget()
    const { document, config } = asked
    const { answers } = state()
    // Where more of a lane was declined, what was agreed of it stands.
    const standing = (Object.keys(answers) as LaneName[]).filter(
      (lane) => given[lane] === undefined || (given[lane] === false && answers[lane] === true),
    )
    try {
      await link.answerLater(record(), { document, answers: given, standing, acceptedAt })
    } catch (error) {
      if (error instanceof Closing || isStatus(error, 401)) throw error
      this.#forget()
      // A conflict is over a policy that is newer still, or a session that is over: both are read next.
      if (!isStatus(error, 409)) this.#settled = asked.policyVersion
      onTrouble(`the answer to what the policy asks for now was not taken: ${describeError(error)}`)
      return
    }
    keep({ document, acceptedAt })
    await dispatch({ type: 'answered_later', config, answers: given })
    this.#given = Object.fromEntries(
      Object.entries(this.#given).filter(([lane]) => given[lane as LaneName] === undefined),
    )
    const lanes = asked.lanes.filter((lane) => given[lane] === undefined)
    this.#asked = lanes.length === 0 ? undefined : { ...asked, lanes }
  }

  #forget(): void {
    this.#asked = undefined
    this.#given = {}
  }
}
