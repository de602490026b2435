import type { HttpOut } from '../http-out/http-out.ts'
import { ProviderFailed } from './provider-failed.ts'

const silenceMs = 10_000
const maxAnswerBytes = 2 * 1024 * 1024

export interface ProviderAnswer {
  readonly status: number
  readonly text: string
  readonly headers: Readonly<Record<string, string | string[] | undefined>>
}

const secondsOf = (header: string | string[] | undefined): number | undefined => {
  const seconds = Number(Array.isArray(header) ? header[0] : header)
  return Number.isFinite(seconds) && seconds > 0 ? Math.min(seconds, 3600) * 1000 : undefined
}

/** Sends one call to a provider. Rejects with `ProviderFailed` where it cannot be asked, is overrun or down. */
export const askProvider = async (
  http: Pick<HttpOut, 'request'>,
  name: string,
  request: { method: 'GET' | 'POST' | 'PUT'; url: string; headers: Record<string, string>; body?: string },
): Promise<ProviderAnswer> => {
  const { method, url, headers, body } = request
  try {
    const sent = { method, headers, silenceMs, ...(body !== undefined && { body: Buffer.from(body, 'utf8') }) }
    const answer = await http.request(url, sent)
    const pieces: Buffer[] = []
    let length = 0
    for await (const piece of answer.body as AsyncIterable<Buffer>) {
      length += piece.length
      if (length > maxAnswerBytes) throw new Error('the answer is too long')
      pieces.push(piece)
    }
    const status = answer.statusCode
    const waits = secondsOf(answer.headers['retry-after'])
    if (status === 429) throw new ProviderFailed('waits', `${name} asks for fewer messages`, waits)
    if (status >= 500) throw new ProviderFailed('waits', `${name} is in trouble (${status})`)
    return { status, text: Buffer.concat(pieces).toString('utf8'), headers: answer.headers }
  } catch (error) {
    if (error instanceof ProviderFailed) throw error
    // Its message may hold the address, which is a secret with some of them.
    throw new ProviderFailed('waits', `${name} cannot be reached`)
  }
}
