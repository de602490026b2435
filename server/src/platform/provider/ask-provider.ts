import { connectionFaultOf } from '../http-out/connection-fault.ts'
import type { HttpOut } from '../http-out/http-out.ts'
import { ProviderFailed } from './provider-failed.ts'

const silenceMs = 10_000
/** For the whole of a call: an answer that trickles is never silent. */
const usualWholeMs = 20_000
const maxAnswerBytes = 2 * 1024 * 1024

export interface ProviderAnswer {
  readonly status: number
  readonly text: string
  readonly headers: Readonly<Record<string, string | string[] | undefined>>
}

type Headers = ProviderAnswer['headers']

/** Names of headers that say when one may ask again; after the first one, those of whom it is not known to send that. */
const waitHeaders = ['retry-after', 'x-ratelimit-reset', 'x-rate-limit-reset'] as const
const longestMs = 3_600_000

/** A header's wait: so many seconds, or a point in time, which is compared with the clock of whoever answered. */
const msOf = (given: string, answeredAt: number): number => {
  const number = Number(given)
  const isCount = given.trim() !== '' && Number.isFinite(number)
  if (isCount && number <= longestMs / 1000) return number * 1000
  return (isCount ? number * 1000 : Date.parse(given)) - answeredAt
}

/** How long an answer asks to be left alone, where it says so. */
const waitOf = (headers: Headers): number | undefined => {
  const answeredAt = Date.parse(String(headers['date']))
  for (const name of waitHeaders) {
    const given = [headers[name]].flat()[0]
    const ms = given === undefined ? Number.NaN : msOf(given, answeredAt)
    if (ms > 0) return Math.min(ms, longestMs)
  }
  return undefined
}

interface ProviderRequest {
  readonly method: 'GET' | 'POST' | 'PUT' | 'PATCH'
  readonly url: string
  readonly headers: Record<string, string>
  readonly body?: Buffer
  readonly wholeMs?: number
  /** The longest answer that is read. */
  readonly mostBytes?: number
}

/** The same as `askProvider` for an answer that is no text. */
export const askForBytes = async (
  http: Pick<HttpOut, 'request'>,
  name: string,
  request: ProviderRequest,
): Promise<Omit<ProviderAnswer, 'text'> & { readonly bytes: Buffer }> => {
  const { method, url, headers, body, wholeMs = usualWholeMs, mostBytes = maxAnswerBytes } = request
  const signal = AbortSignal.timeout(wholeMs)
  try {
    const sent = { method, headers, silenceMs, signal, ...(body !== undefined && { body }) }
    const answer = await http.request(url, sent)
    const pieces: Buffer[] = []
    let length = 0
    for await (const piece of answer.body as AsyncIterable<Buffer>) {
      length += piece.length
      if (length > mostBytes) throw new ProviderFailed('refused', `${name} answers at more length than it should`)
      pieces.push(piece)
    }
    const status = answer.statusCode
    if (status === 429) throw new ProviderFailed('waits', `${name} asks for fewer messages`, waitOf(answer.headers))
    if (status >= 500) throw new ProviderFailed('waits', `${name} is in trouble (${status})`, waitOf(answer.headers))
    return { status, bytes: Buffer.concat(pieces), headers: answer.headers }
  } catch (error) {
    if (error instanceof ProviderFailed) throw error
    // The error's own message may hold the address, which is a secret with some of them.
    throw new ProviderFailed('waits', `${name} cannot be reached: ${connectionFaultOf(error).words}`)
  }
}

/** Sends one call to a provider. Rejects with `ProviderFailed` where it cannot be asked, is overrun or down. */
export const askProvider = async (
  http: Pick<HttpOut, 'request'>,
  name: string,
  { body, ...request }: Omit<ProviderRequest, 'body'> & { readonly body?: string },
): Promise<ProviderAnswer> => {
  const sent = { ...request, ...(body !== undefined && { body: Buffer.from(body, 'utf8') }) }
  const { bytes, ...answer } = await askForBytes(http, name, sent)
  return { ...answer, text: bytes.toString('utf8') }
}
