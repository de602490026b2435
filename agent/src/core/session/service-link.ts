import type { CallOptions, Reply } from '@integrity/client/calls'
import type { Client } from '@integrity/client/every-endpoint'
import {
  type LaneName,
  type Meeting,
  maxCapabilityWhy,
  type PermissionState,
  type SessionConfig,
  type SessionState,
} from '@integrity/protocol'
import type { CaptureChain } from '../spool/capture-chain.ts'
import { type OrgFacts, orgFactsOf } from './org-facts.ts'
import type { Capability, ConsentDocument } from './ports.ts'
import { isStatus, type RetryOptions, untilAnswered } from './service-calls.ts'
import type { Entry, Joined, LaterAnswer, Registered, Running } from './service-link.types.ts'
import type { LaneAnswers } from './session-machine.types.ts'
import type { SessionRecord } from './session-record.ts'

type Registering = Omit<LaterAnswer, 'standing' | 'acceptedAt'> & {
  readonly token: string
  readonly acceptedAt: number | undefined
  readonly standing?: readonly LaneName[]
}

/** The program that is expected, else the place; older services tell of neither. */
const placeOf = (meeting: Partial<Meeting> | null | undefined): string | undefined =>
  meeting?.expectedApp ?? meeting?.label ?? undefined

const runningOf = (read: {
  config: SessionConfig
  policyVersion: number
  state: SessionState
  meeting: Meeting | null
}): Running => ({
  config: read.config,
  policyVersion: read.policyVersion,
  callIn: placeOf(read.meeting),
  ended: read.state === 'ended',
})

const answered = ({ token, document, acceptedAt, state }: SessionRecord): Registering => ({
  token,
  document,
  acceptedAt,
  answers: state.answers,
})

/** Older services tell of neither. */
const invitedBy = (told: {
  readonly session: { readonly schedule?: SessionRecord['schedule'] | null }
  readonly inviter?: SessionRecord['inviter'] | null
}): Pick<Joined, 'schedule' | 'inviter'> => ({
  ...(told.session.schedule && { schedule: told.session.schedule }),
  ...(told.inviter && { inviter: told.inviter }),
})

const laneNames = (answers: LaneAnswers): LaneName[] => Object.keys(answers) as LaneName[]

export interface ServiceLinkOptions {
  readonly clientFor: (token: string | undefined) => Client
  readonly device: Readonly<Record<string, string>>
  readonly capabilities: () => Promise<readonly Capability[]>
  readonly permissions: () => Readonly<Record<string, PermissionState>>
  readonly retry: RetryOptions
  /** Signs the consent, and what is captured under it. */
  readonly chain: Pick<CaptureChain, 'begin' | 'registration' | 'end'>
  /** What the candidate reads, BCP 47; without it the service chooses. */
  readonly locale?: (() => string) | undefined
  /** An answer said who asks, and how they look now. */
  readonly onOrg?: (org: OrgFacts) => void
  /** An answer said the service's time: epoch ms, when by the monotonic clock, and how sure that is in ms. */
  readonly onServiceTime?: (serviceMs: number, monotonicMs: number, uncertaintyMs: number) => void
}

const joinTries = 3

const localeOf = (locale: string | undefined): { locale?: string } => (locale === undefined ? {} : { locale })

/**
 * The session's own calls to the service. Each waits out outages; what it throws is a refusal of the service
 * (`IntegrityError`) or `Closing`.
 */
export class ServiceLink {
  readonly #options: ServiceLinkOptions
  #etag: string | undefined

  constructor(options: ServiceLinkOptions) {
    this.#options = options
  }

  async join(entry: Entry): Promise<Joined> {
    const retry = { ...this.#options.retry, tries: joinTries }
    if (entry.token !== undefined && entry.sessionId !== undefined) {
      const { token, sessionId } = entry
      const read = await this.#readConfig({ token, sessionId }, retry, this.#locale)
      const { config, consentDocument: document } = read
      return {
        token,
        sessionId,
        ...orgFactsOf(read.org),
        config,
        callIn: placeOf(read.meeting),
        document,
      }
    }
    // Before consent the service hears of this program and its kind of system, and nothing of whose computer it is.
    const { platform, appVersion } = this.#options.device
    const body = { joinCode: entry.joinCode ?? '', device: { platform, appVersion }, ...localeOf(this.#locale) }
    const client = this.#options.clientFor(undefined)
    const { data } = await untilAnswered(
      (signal) => this.#timed(() => client.call('agent.sessions.join', { body, signal })),
      retry,
    )
    return {
      token: data.sessionToken,
      sessionId: data.session.id,
      ...invitedBy(data),
      ...orgFactsOf(data.org),
      config: data.config,
      callIn: placeOf(data.meeting),
      document: data.consentDocument,
    }
  }

  /** Registers with the consent that was given. */
  async register(record: SessionRecord): Promise<Registered> {
    this.#options.chain.begin(record.sessionId)
    try {
      return { kind: 'running', session: await this.#register(answered(record)) }
    } catch (error) {
      if (!isStatus(error, 409)) throw error
      const read = await this.#readConfig(record, this.#options.retry, record.document.locale)
      // A conflict over the very document that the service shows is about something else.
      if (read.consentDocument.hash === record.document.hash) throw error
      return { kind: 'document_changed', config: read.config, document: read.consentDocument }
    }
  }

  /**
   * For an agent that was registered before it was restarted: its consent stands, also when the policy has
   * changed. `onAway` is told of each try that is not answered.
   */
  async comeBack(record: SessionRecord, onAway: () => void): Promise<Registered> {
    const { retry } = this.#options
    const onTrouble = (trouble: string): void => {
      onAway()
      retry.onTrouble(trouble)
    }
    const told = { ...retry, onTrouble }
    try {
      const read = await this.#readConfig(record, told, record.document.locale)
      const ended = read.state === 'ended'
      // Registering again tells what this machine can observe now, and would be refused for another document.
      if (!ended && read.consentDocument.hash === record.document.hash)
        await this.#register({ ...answered(record), standing: laneNames(record.state.answers) })
      return { kind: 'running', session: runningOf(read) }
    } catch (error) {
      if (isStatus(error, 404, 410)) return { kind: 'not_found' }
      if (!isStatus(error, 409)) throw error
      return { kind: 'gone' }
    }
  }

  /** The document as it is now, in the language that the candidate reads now. */
  async readDocument(record: SessionRecord): Promise<Running & { document: ConsentDocument }> {
    const retry = { ...this.#options.retry, tries: joinTries }
    const read = await this.#readConfig(record, retry, this.#locale)
    return { ...runningOf(read), document: read.consentDocument }
  }

  /** Adds an answer in the running session to what was answered before; throws a conflict for a document of another day. */
  async answerLater(record: SessionRecord, answer: LaterAnswer): Promise<void> {
    await this.#register({ ...answer, token: record.token })
  }

  /** Reads the config once; undefined while it is what the last call gave. */
  async poll(record: SessionRecord, how: Pick<CallOptions, 'signal' | 'timeoutMs'>): Promise<Running | undefined> {
    const client = this.#options.clientFor(record.token)
    const headers: Record<string, string> = this.#etag === undefined ? {} : { 'if-none-match': this.#etag }
    const params = { id: record.sessionId }
    const answer = await this.#timed(() => client.call('agent.sessions.config', { params, headers, ...how }))
    if (answer.status === 304) return undefined
    this.#etag = answer.headers.get('etag') ?? undefined
    const { org } = answer.data as Partial<typeof answer.data>
    if (org) this.#options.onOrg?.(orgFactsOf(org))
    return runningOf(answer.data)
  }

  /** Tells the service that the candidate declined everything. A no to one document is a no to the one that took its place. */
  async decline(record: SessionRecord, declinedAt: number): Promise<void> {
    const { clientFor, retry } = this.#options
    const client = clientFor(record.token)
    const params = { id: record.sessionId }
    const send = ({ version, locale, hash: documentHash }: ConsentDocument): Promise<unknown> => {
      const body = { version, locale, documentHash, declinedAt: new Date(declinedAt).toISOString() }
      return untilAnswered((signal) => client.call('agent.sessions.decline', { params, body, signal }), retry)
    }
    try {
      await send(record.document)
    } catch (error) {
      if (!isStatus(error, 409)) throw error
      const { consentDocument } = await this.#readConfig(record, retry, record.document.locale)
      if (consentDocument.hash === record.document.hash) throw error
      await send(consentDocument)
    }
  }

  /** Tells the service of the end; that it is over there already is as good. */
  async end(record: SessionRecord, reason: string): Promise<void> {
    const { clientFor, retry } = this.#options
    const endedAt = new Date(record.endedAt ?? retry.clock.wallMs()).toISOString()
    const captureEnd = this.#options.chain.end()
    const body = { reason, endedAt, ...(captureEnd ? { captureEnd } : {}) }
    const params = { id: record.sessionId }
    const client = clientFor(record.token)
    try {
      await untilAnswered((signal) => client.call('agent.sessions.end', { params, body, signal }), retry)
    } catch (error) {
      if (!isStatus(error, 404, 409, 410)) throw error
    }
  }

  async #register(given: Registering): Promise<Running> {
    const { clientFor, device, retry, permissions } = this.#options
    const { document, acceptedAt = retry.clock.wallMs(), answers, standing } = given
    const consent = {
      version: document.version,
      locale: document.locale,
      documentHash: document.hash,
      acceptedAt: new Date(acceptedAt).toISOString(),
      lanes: answers,
      ...(standing ? { standing: [...standing] } : {}),
    }
    const capabilities = (await this.#options.capabilities()).slice(0, 100).map(({ observer, status, why }) => ({
      observer,
      status,
      // An operating system's own words can be long; a refused registration would be worse than a cut sentence.
      ...(why === undefined ? {} : { why: why.slice(0, maxCapabilityWhy) }),
    }))
    const captureKey = this.#options.chain.registration(document.hash)
    const body = {
      consent,
      device,
      capabilities,
      permissions: permissions(),
      ...(captureKey ? { captureKey } : {}),
    }
    const client = clientFor(given.token)
    const { data } = await untilAnswered((signal) => client.call('agent.sessions.register', { body, signal }), retry)
    return runningOf(data)
  }

  get #locale(): string | undefined {
    return this.#options.locale?.()
  }

  /** One document has another hash in each language: to compare them, ask in the language of the one that is known. */
  async #readConfig(
    { token, sessionId: id }: Pick<SessionRecord, 'token' | 'sessionId'>,
    retry: RetryOptions,
    locale: string | undefined,
  ) {
    const client = this.#options.clientFor(token)
    const call = { params: { id }, query: localeOf(locale) }
    const { data } = await untilAnswered(
      (signal) => this.#timed(() => client.call('agent.sessions.config', { ...call, signal })),
      retry,
    )
    return data
  }

  /** Learns the service's time from an answer: to the millisecond where it says it, else from its `Date` header. */
  async #timed<T extends Reply<unknown>>(call: () => Promise<T>): Promise<T> {
    const { clock } = this.#options.retry
    const sent = clock.monotonicMs()
    const answer = await call()
    const received = clock.monotonicMs()
    const exact = (answer.data as { serverTime?: string } | undefined)?.serverTime
    const told = Date.parse(exact ?? answer.headers.get('date') ?? '')
    if (!Number.isNaN(told)) {
      // The header has cut off up to a second.
      const [at, unsure] = exact === undefined ? [told + 500, 500] : [told, 0]
      this.#options.onServiceTime?.(at, (sent + received) / 2, unsure + (received - sent) / 2)
    }
    return answer
  }
}
