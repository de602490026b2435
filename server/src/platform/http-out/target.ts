import { literalAddress, refusalOfAddress } from './address-rules.ts'

export type Target = { readonly ok: true; readonly url: URL } | { readonly ok: false; readonly reason: string }

/** Names that only ever mean this machine or this network (RFC 6761, 6762, 8375, and ICANN's `.internal`). */
const localName = /(^|\.)(localhost|local|internal|home\.arpa)\.?$/

const refusalOfHost = (hostname: string, allowPrivate: boolean): string | undefined => {
  const literal = literalAddress(hostname)
  if (literal !== undefined) return refusalOfAddress(literal, allowPrivate)
  return !allowPrivate && localName.test(hostname) ? 'a name of a private network' : undefined
}

/** What is before the host, even when it is empty: as the URL standard reads it, with its odd slashes and breaks. */
const userinfo = /^[a-z]+:[\\/]*[^\\/?#]*@/i
const breaks = /[\t\r\n]/g

/**
 * Syntax and literal rules for a target, without any network: https only (http too when private targets are
 * allowed), no credentials, no fragment, no forbidden address in any spelling.
 */
export const readTarget = (text: string, allowPrivate: boolean): Target => {
  const url = URL.parse(text)
  if (!url) return { ok: false, reason: 'not an absolute URL' }
  if (url.protocol !== 'https:' && !(allowPrivate && url.protocol === 'http:')) {
    return { ok: false, reason: allowPrivate ? 'the scheme must be https or http' : 'the scheme must be https' }
  }
  if (url.username !== '' || url.password !== '' || userinfo.test(text.trim().replace(breaks, '')))
    return { ok: false, reason: 'the URL must not carry credentials' }
  // `url.hash` is empty for a bare trailing '#', which is a fragment all the same.
  if (text.includes('#')) return { ok: false, reason: 'the URL must not carry a fragment' }
  const refusal = refusalOfHost(url.hostname, allowPrivate)
  return refusal === undefined ? { ok: true, url } : { ok: false, reason: `the host is ${refusal}` }
}
