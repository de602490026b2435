import type { Context as KoaContext } from 'koa'
import { type Headers, sendText } from './respond.ts'

/** On every answer. */
export const always = {
  'X-Service-Api-Version': 'v1',
  'Cache-Control': 'no-store',
  'X-Content-Type-Options': 'nosniff',
}

const exposed = [
  'X-Request-Id, X-Service-Api-Version, RateLimit-Limit, RateLimit-Remaining, RateLimit-Reset, RateLimit-Scope',
  'RateLimit-Policy, RateLimit',
  'Retry-After, Idempotency-Replayed, ETag, Deprecation, Sunset, Content-Range, Content-Digest, Repr-Digest',
].join(', ')

/** On every answer that the script of a page asked for. */
export const forPages = { 'Access-Control-Allow-Origin': '*', 'Access-Control-Expose-Headers': exposed }

/** Answers a preflight (Fetch standard, CORS): what a page's script may ask of this path. */
export const preflight = (koa: KoaContext, allowed: readonly string[], headers: Headers): void => {
  sendText(koa, 204, undefined, {
    ...headers,
    'Access-Control-Allow-Methods': [...allowed, 'OPTIONS'].join(', '),
    'Access-Control-Allow-Headers':
      'Authorization, Content-Type, Idempotency-Key, If-None-Match, Last-Event-ID, Range, X-Service-Evidence-Meta, X-Service-Part-Sha256',
    'Access-Control-Max-Age': '600',
  })
}
