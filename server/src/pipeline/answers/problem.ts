import type { IncomingMessage } from 'node:http'
import { type ErrorCode, errorCodes } from '@integrity/protocol'

export const problemType = 'application/problem+json'

/** Whether a program named problem details (RFC 9457) among what it takes; `q=0` says that it does not. */
export const wantsProblem = ({ headers }: Pick<IncomingMessage, 'headers'>): boolean =>
  (headers.accept ?? '').split(',').some((range) => {
    const [type, ...parameters] = range.split(';').map((part) => part.trim().toLowerCase())
    return type === problemType && !parameters.some((parameter) => /^q=0(?:\.0*)?$/.test(parameter))
  })

interface Envelope {
  readonly error: { readonly code: ErrorCode; readonly message: string }
  readonly requestId: string
}

/** The page of the code of a refusal in the service's envelope. */
export const pageOfCode = (text: string, baseUrl: string): string =>
  `${baseUrl}/docs/errors/${(JSON.parse(text) as Envelope).error.code}`

/**
 * A refusal in the service's envelope as problem details: `type` is the page of its code, `title` what the code means,
 * `detail` the message; whatever else the envelope says is beside them under its own name.
 */
export const problemFrom = (text: string, status: number, baseUrl: string): string => {
  const { error, requestId } = JSON.parse(text) as Envelope
  const { message, ...rest } = error
  const { summary } = errorCodes[error.code]
  const type = pageOfCode(text, baseUrl)
  return JSON.stringify({ ...rest, requestId, type, title: summary, status, detail: message })
}
