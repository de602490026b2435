import { type EndpointSpec, mediaTypeOf, ServiceError } from '@integrity/protocol'
import type { Context as KoaContext } from 'koa'
import type { AnswerHeaders } from '../../kernel/handler.ts'
import type { Parts } from '../../kernel/parts.ts'
import { SignInOver } from '../../kernel/sign-ins.ts'
import { outageOf } from '../../platform/db/outage.ts'
import { StorageError } from '../../platform/storage/types.ts'
import { scimRefusal } from '../bodies/scim-wire.ts'
import { clearingCookies } from '../callers/portal-cookies.ts'
import { pageOfCode, problemFrom, problemType, wantsProblem } from './problem.ts'

export const setHeaders = (koa: KoaContext, headers: AnswerHeaders): void => {
  for (const [name, value] of Object.entries(headers)) koa.set(name, value)
}

/** The wire format of an answer. */
export type Wire = EndpointSpec['wire']

export const successText = (data: unknown, isBare = false): string =>
  isBare ? JSON.stringify(data) : `{"success":true,"data":${JSON.stringify(data)}}`

export type Headers = Record<string, string | string[]>

/**
 * Ends an answer whose length is announced. A client that is still sending could not read it on a connection that is closed
 * meanwhile, so the rest of its body comes first (`boundRest`); one that stalled sends nothing more.
 */
const end = ({ req, res }: KoaContext, text: string | Buffer, headers: Headers, encoding: BufferEncoding): void => {
  const closes = headers['Connection'] === 'close' || req.headers.connection === 'close'
  if (!closes || req.complete || res.statusCode === 408) {
    res.end(text, encoding)
    return
  }
  res.write(text, encoding)
  req.once('close', () => res.end())
  req.once('end', () => res.end())
  req.resume()
}

/**
 * Writes an answer of JSON text, compressed or not, or none, with all its headers at once, to which type and length are added: one
 * `writeHead` with an object costs a fraction of a dozen `setHeader`s, and Koa would otherwise guess type and length again.
 */
export const sendText = (
  koa: KoaContext,
  status: number,
  text: string | Buffer | undefined,
  headers: Headers,
  wire?: Wire,
  type: string = mediaTypeOf({ wire }),
): void => {
  const { req, res } = koa
  koa.respond = false
  if (text === undefined) {
    res.writeHead(status, headers).end()
    return
  }
  const length = Buffer.byteLength(text)
  headers['Content-Type'] = `${type}; charset=utf-8`
  headers['Content-Length'] = `${length}`
  res.writeHead(status, headers)
  if (req.method === 'HEAD') res.end()
  // As many bytes as characters: ASCII, which is the same in both encodings, and copied without being measured again.
  else end(koa, text, headers, length === text.length ? 'latin1' : 'utf8')
}

export const deprecationHeaders = (endpoint: EndpointSpec): Record<string, string> | undefined =>
  endpoint.deprecated && { Deprecation: 'true', Sunset: new Date(endpoint.deprecated.sunset).toUTCString() }

/** Of the place where evidence lies, not of what was asked for. */
const storeTroubles = ['unusable', 'denied', 'no_bucket', 'unreachable', 'full', 'clock_skew'] as const
const storeTrouble: ReadonlySet<StorageError['code']> = new Set(storeTroubles)
/** Under which causes it is counted. */
export const storeCauses: readonly string[] = storeTroubles.map((code) => `store_${code}`)

/** What the client learns of an error that is not one of ours: what is out of order here, or nothing but the request id. */
const asServiceError = (app: Pick<Parts, 'metrics'>, error: unknown): ServiceError => {
  if (error instanceof ServiceError) return error
  const outage = outageOf(error)
  if (outage) {
    app.metrics.outage(outage.cause)
    const headers = { 'Retry-After': '10' }
    return new ServiceError('service_unavailable', `${outage.words}; try again later`, { cause: error, headers })
  }
  if (error instanceof StorageError && storeTrouble.has(error.code)) {
    app.metrics.outage(`store_${error.code}`)
    return new ServiceError('service_unavailable', 'the evidence store cannot be used at the moment', {
      cause: error,
      headers: { 'Retry-After': '10' },
    })
  }
  return new ServiceError('internal_error', 'something went wrong here; the request id helps us find it', {
    cause: error,
  })
}

/** An error of ours as its answer. */
export const refusalOf = (refused: ServiceError, requestId: string, wire?: Wire) => {
  const { status, headers, code, message, details, extra } = refused
  if (wire) return { status, headers, text: JSON.stringify(scimRefusal(refused)) }
  const error = { code, message, ...(details.length > 0 ? { details } : {}), ...extra }
  return { status, headers, text: JSON.stringify({ success: false, error, requestId }) }
}

/** Sends a refusal that is written in the service's envelope, as problem details to whoever asked for those. */
export const sendRefusal = (
  { config }: Pick<Parts, 'config'>,
  koa: KoaContext,
  { status, text }: { readonly status: number; readonly text: string },
  headers: Headers,
  wire?: Wire,
): void => {
  if (wire) {
    sendText(koa, status, text, headers, wire)
    return
  }
  // The page of its code (RFC 8288).
  const linked = { ...headers, Link: `<${pageOfCode(text, config.baseUrl)}>; rel="help"` }
  if (wantsProblem(koa.req)) {
    const varied = { ...linked, Vary: 'Accept' }
    sendText(koa, status, problemFrom(text, status, config.baseUrl), varied, undefined, problemType)
  } else sendText(koa, status, text, linked)
}

/** What a refusal looks like, where that is not the service's JSON. */
export interface RefusalForm {
  readonly wire?: Wire
  readonly page?: (refused: ServiceError, requestId: string, language: string) => { text: string; headers: Headers }
}

const sendPage = (koa: KoaContext, status: number, text: string, headers: Headers): void => {
  koa.respond = false
  headers['Content-Type'] = 'text/html; charset=utf-8'
  headers['Content-Length'] = `${Buffer.byteLength(text)}`
  koa.res.writeHead(status, headers)
  if (koa.req.method === 'HEAD') koa.res.end()
  else end(koa, text, headers, 'utf8')
}

/** The one place where an error becomes an answer. */
export const sendError = (
  app: Pick<Parts, 'log' | 'config' | 'metrics'>,
  koa: KoaContext,
  thrown: unknown,
  requestId: string,
  headers: Headers,
  form: RefusalForm = {},
): void => {
  const error = asServiceError(app, thrown)
  if (error.status >= 500) app.log.error({ err: error.cause ?? error, requestId, code: error.code }, 'request failed')
  if (koa.res.headersSent) {
    // Half an answer is out; breaking it off is all that still tells the client.
    koa.res.destroy()
    return
  }
  const cookies = error instanceof SignInOver ? clearingCookies(app.config.baseUrl) : {}
  if (form.page) {
    const { text, headers: own } = form.page(error, requestId, koa.get('accept-language'))
    sendPage(koa, error.status, text, { ...headers, ...error.headers, ...cookies, ...own })
    return
  }
  const { wire } = form
  const refusal = refusalOf(error, requestId, wire)
  sendRefusal(app, koa, refusal, { ...headers, ...refusal.headers, ...cookies }, wire)
}
