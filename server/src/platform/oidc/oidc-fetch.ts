import type { CustomFetch } from 'openid-client'
import type { HttpOut } from '../http-out/http-out.ts'
import { OidcError } from './oidc-error.ts'

/** Documents, keys and tokens take some kilobytes. */
const maxBytes = 256 * 1024
const silenceMs = 5000

const readBounded = async (body: AsyncIterable<Buffer> & { destroy(): unknown }): Promise<Buffer> => {
  const parts: Buffer[] = []
  let size = 0
  for await (const part of body) {
    size += part.length
    if (size > maxBytes) {
      body.destroy()
      throw new OidcError('too_large')
    }
    parts.push(part)
  }
  return Buffer.concat(parts)
}

/** The library's requests by the guarded client: no redirect, bounded bytes, and one deadline for all of a sign-in. */
export const oidcFetch = (httpOut: Pick<HttpOut, 'request'>, deadline: AbortSignal): CustomFetch => {
  const withNoBody: ReadonlySet<number> = new Set([204, 205, 304])
  return async (url, { method, headers, body, signal }) => {
    const answer = await httpOut.request(url, {
      method: method === 'POST' ? 'POST' : 'GET',
      headers,
      ...(body ? { body: Buffer.from(new URLSearchParams(body as URLSearchParams).toString()) } : {}),
      signal: signal ? AbortSignal.any([signal, deadline]) : deadline,
      silenceMs,
    })
    const bytes = await readBounded(answer.body)
    const given = new Headers()
    for (const name of ['content-type', 'www-authenticate']) {
      const value = answer.headers[name]
      if (typeof value === 'string') given.set(name, value)
    }
    const { statusCode: status } = answer
    return new Response(withNoBody.has(status) ? null : new Uint8Array(bytes), { status, headers: given })
  }
}
