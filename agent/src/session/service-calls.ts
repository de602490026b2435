import { type Client, ClientError } from '@integrity/protocol/client'
import type { Clock } from '../shared/clock.ts'
import { describeError, readFailure } from '../upload/answers.ts'
import { fullJitterMs } from '../upload/full-jitter.ts'
import type { Capability } from './ports.ts'
import type { SessionRecord } from './session-record.ts'

export interface RetryOptions {
  readonly clock: Clock
  readonly signal: AbortSignal
  readonly random: () => number
  /** Gives up after so many tries; without it, never. */
  readonly tries?: number
  readonly onTrouble: (trouble: string) => void
}

/** A call is given up because the agent is closing. */
export class Closing extends Error {
  override readonly name = 'Closing'
}

const callTimeoutMs = 30_000
const retry = { baseMs: 1000, capMs: 30_000 }

/**
 * Repeats a call until the service answers it for good: outages, 429 and server errors are waited out with full
 * jitter, `Retry-After` obeyed. Throws the `ClientError` of a refusal, and `Closing` when the signal aborts.
 */
export const untilAnswered = async <T>(
  call: (signal: AbortSignal) => Promise<T>,
  options: RetryOptions,
): Promise<T> => {
  const { clock, signal, random, tries = Number.POSITIVE_INFINITY } = options
  for (let attempt = 0; ; attempt += 1) {
    try {
      return await call(AbortSignal.any([signal, AbortSignal.timeout(callTimeoutMs)]))
    } catch (error) {
      if (signal.aborted) throw new Closing('closing')
      const failure = readFailure(error)
      const final = failure.kind === 'refuse' || failure.kind === 'unauthorized'
      if (final || !(error instanceof ClientError) || attempt + 1 >= tries) throw error
      options.onTrouble(describeError(error))
      const asked = 'waitMs' in failure ? failure.waitMs : 0
      await clock.sleep(Math.max(100, asked, fullJitterMs(attempt, { ...retry, random })), signal)
      if (signal.aborted) throw new Closing('closing')
    }
  }
}

export const isStatus = (error: unknown, ...statuses: readonly number[]): boolean =>
  error instanceof ClientError && error.code !== 'not_the_service' && statuses.includes(error.status)

export interface Entry {
  /** A typed join code, redeemed once, or a token that an integrator handed over. */
  readonly joinCode?: string
  readonly token?: string
  readonly sessionId?: string
}

/** What both ways in give. */
export interface Joined {
  readonly token: string
  readonly sessionId: string
  readonly candidateLabel: string | null
  readonly orgName: string | undefined
}

export const joinSession = async (
  clientFor: (token: string | undefined) => Client,
  entry: Entry,
  device: Readonly<Record<string, string>>,
  options: RetryOptions,
) => {
  if (entry.token !== undefined && entry.sessionId !== undefined) {
    const { token, sessionId } = entry
    const client = clientFor(token)
    const { data } = await untilAnswered(
      (signal) => client.call('agent.sessions.config', { params: { id: sessionId }, signal }),
      options,
    )
    const joined: Joined = { token, sessionId, candidateLabel: null, orgName: undefined }
    return { joined, config: data.config, document: data.consentDocument }
  }
  const joinCode = entry.joinCode ?? ''
  const { data } = await untilAnswered(
    (signal) => clientFor(undefined).call('agent.sessions.join', { body: { joinCode, device }, signal }),
    options,
  )
  const joined: Joined = {
    token: data.sessionToken,
    sessionId: data.session.id,
    candidateLabel: data.session.candidateLabel,
    orgName: data.org.name,
  }
  return { joined, config: data.config, document: data.consentDocument }
}

/** Registers with the consent that was given. The same consent again has the same answer. */
export const registerSession = async (
  client: Client,
  record: SessionRecord,
  device: Readonly<Record<string, string>>,
  capabilities: readonly Capability[],
  options: RetryOptions,
) => {
  const { document, acceptedAt = options.clock.wallMs(), state } = record
  const consent = {
    version: document.version,
    locale: document.locale,
    documentHash: document.hash,
    acceptedAt: new Date(acceptedAt).toISOString(),
    lanes: state.answers,
  }
  const body = { consent, device, capabilities: capabilities.map((capability) => ({ ...capability })) }
  const { data } = await untilAnswered((signal) => client.call('agent.sessions.register', { body, signal }), options)
  return data
}

/** Tells the service of the end; that it is over there already is as good. */
export const endSession = async (
  client: Client,
  record: SessionRecord,
  reason: string,
  options: RetryOptions,
): Promise<void> => {
  const body = { reason, endedAt: new Date(record.endedAt ?? options.clock.wallMs()).toISOString() }
  const params = { id: record.sessionId }
  try {
    await untilAnswered((signal) => client.call('agent.sessions.end', { params, body, signal }), options)
  } catch (error) {
    if (!isStatus(error, 404, 409)) throw error
  }
}

/** Reads the config, once; undefined when it is still the one with this ETag. */
export const readConfig = async (client: Client, sessionId: string, etag: string | undefined, signal: AbortSignal) => {
  const answer = await client.call('agent.sessions.config', {
    params: { id: sessionId },
    headers: etag === undefined ? {} : { 'if-none-match': etag },
    signal,
  })
  return answer.status === 304 ? undefined : { ...answer.data, etag: answer.headers.get('etag') ?? undefined }
}
