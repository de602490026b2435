import { request as requestHttp } from 'node:http'
import { request as requestHttps } from 'node:https'
import type { TLSSocket } from 'node:tls'

/** What the other side showed of itself, whether or not it is believed. */
export interface ShownCertificate {
  /** Why it is not believed; undefined where it is. */
  readonly distrust: string | undefined
  /** Epoch milliseconds; NaN where none was shown. */
  readonly expiresAt: number
}

export interface AddressAnswer {
  readonly status: number
  /** As much of it as was asked for. */
  readonly text: string
  /** Of an https address. */
  readonly certificate: ShownCertificate | undefined
}

/** Node's own name for what is wrong with a certificate. */
const wordOf = (error: Error | string): string =>
  typeof error === 'string' ? error : ((error as NodeJS.ErrnoException).code ?? error.message)

/** A certificate is looked at here and judged by the caller: an address with a bad one still says who answers behind it. */
const certificateOf = (socket: TLSSocket): ShownCertificate => {
  const expiresAt = Date.parse(socket.getPeerCertificate().valid_to)
  const { authorized, authorizationError: error } = socket
  return { distrust: authorized ? undefined : wordOf(error), expiresAt }
}

/** One GET from this machine, and the first characters of its answer. Rejects with the error of the connection, or `ETIMEDOUT`. */
export const askAddress = (
  url: string,
  { timeoutMs = 5_000, most = 65_536 }: { readonly timeoutMs?: number; readonly most?: number } = {},
): Promise<AddressAnswer> =>
  new Promise((resolve, reject) => {
    const isTls = url.startsWith('https:')
    const ask = isTls ? requestHttps : requestHttp
    const late = Object.assign(new Error(`no answer within ${timeoutMs} ms`), { code: 'ETIMEDOUT' })
    const request = ask(url, { agent: false, rejectUnauthorized: false }, (response) => {
      // Now: once the answer has ended the socket is gone.
      const certificate = isTls ? certificateOf(response.socket as TLSSocket) : undefined
      let text = ''
      response.setEncoding('utf8')
      response.on('data', (part: string) => {
        if (text.length < most) text += part
      })
      response.once('error', reject)
      response.once('end', () => resolve({ status: response.statusCode ?? 0, text: text.slice(0, most), certificate }))
    })
    request.once('error', reject)
    const timer = setTimeout(() => request.destroy(late), timeoutMs)
    request.once('close', () => clearTimeout(timer))
    request.end()
  })
