import { ServiceError } from '@integrity/protocol'
import type { HttpOut } from '../http-out/http-out.ts'

const silenceMs = 10_000
const maxAnswerBytes = 2 * 1024 * 1024

/** A provider that refuses, or cannot be asked. Its words are for the log, a status and a reason for whoever called. */
export class PaymentFailed extends ServiceError {
  readonly providerStatus: number | undefined
  constructor(provider: string, status: number | undefined, said: string) {
    const isOurs = status !== undefined && status >= 400 && status < 500 && status !== 429
    super(
      isOurs ? 'conflict' : 'service_unavailable',
      isOurs ? `${provider} refuses this: ${said}` : `${provider} cannot be asked at the moment; nothing was changed`,
      {
        extra: { reason: isOurs ? 'provider_refused' : 'provider_down' },
        ...(isOurs ? {} : { headers: { 'Retry-After': '30' } }),
      },
    )
    this.providerStatus = status
  }
}

export interface PaymentRequest {
  readonly method: 'GET' | 'POST' | 'PATCH' | 'DELETE'
  readonly url: string
  readonly headers: Readonly<Record<string, string>>
  readonly body?: string
}

const readText = async (body: AsyncIterable<Buffer>): Promise<string> => {
  const pieces: Buffer[] = []
  let length = 0
  for await (const piece of body) {
    length += piece.length
    if (length > maxAnswerBytes) throw new Error('the answer is too long')
    pieces.push(piece)
  }
  return Buffer.concat(pieces).toString('utf8')
}

const errorIn = (answer: unknown): string => {
  const { error } = (answer ?? {}) as { error?: { message?: unknown; description?: unknown } }
  const said = error?.message ?? error?.description
  return typeof said === 'string' ? said.slice(0, 300) : 'it did not say why'
}

/** Sends one call to a provider and reads its JSON. Rejects with `PaymentFailed`. */
export const callProvider = async (
  http: Pick<HttpOut, 'request'>,
  provider: string,
  { method, url, headers, body }: PaymentRequest,
): Promise<unknown> => {
  let statusCode: number
  let text: string
  try {
    const sent = { method, headers, silenceMs, ...(body !== undefined && { body: Buffer.from(body, 'utf8') }) }
    const answer = await http.request(url, sent)
    statusCode = answer.statusCode
    text = await readText(answer.body)
  } catch (error) {
    throw new PaymentFailed(provider, undefined, (error as Error).message)
  }
  let parsed: unknown
  try {
    parsed = JSON.parse(text)
  } catch {
    throw new PaymentFailed(provider, statusCode < 400 ? undefined : statusCode, 'its answer is no JSON')
  }
  if (statusCode >= 300) throw new PaymentFailed(provider, statusCode, errorIn(parsed))
  return parsed
}
