import { accessSeconds, begunCookie, cookieNames, refreshSeconds, secretPrefixes } from '@integrity/protocol'
import { parseCookie } from 'cookie'
import type { IssuedTokens, PortalTokens } from '../../kernel/sign-ins.ts'

/** What one of our tokens looks like; anything else is nobody's and is not even looked up. */
const tokenForm = (prefix: string) => new RegExp(`^${prefix}[0-9A-Za-z]{32}$`)
const forms = {
  access: tokenForm(secretPrefixes.portal_access),
  refresh: tokenForm(secretPrefixes.portal_refresh),
}

/**
 * The portal's cookies of a request, where they have the form of its tokens. Neither is taken for the other. Of several
 * with one name the first counts: RFC 6265 (5.4) puts the one with the longest path first.
 */
export const readPortalCookies = (header: string | undefined, baseUrl: string): PortalTokens => {
  const given = parseCookie(header ?? '', { decode: (text) => text })
  const read = (kind: 'access' | 'refresh'): string | undefined => {
    const value = given[nameOf(kind, baseUrl)]
    return value !== undefined && forms[kind].test(value) ? value : undefined
  }
  const begun = given[begunCookie]
  return {
    access: read('access'),
    refresh: read('refresh'),
    begun: /^[\w-]{32}$/.test(begun ?? '') ? begun : undefined,
  }
}

const isSecure = (baseUrl: string): boolean => baseUrl.startsWith('https:')

/**
 * Behind https a browser takes a cookie of this name from this very host alone (RFC 6265bis, `__Host-`), so that no
 * neighbour of its domain can put one in its place; such a cookie goes to every path.
 */
const nameOf = (kind: 'access' | 'refresh', baseUrl: string): string =>
  `${isSecure(baseUrl) ? '__Host-' : ''}${cookieNames[kind]}`

/** Without https the refresh token travels only to where it is used. */
const pathOf = (kind: 'access' | 'refresh', baseUrl: string): string =>
  kind === 'access' || isSecure(baseUrl) ? '/' : '/v1/auth'

const cookie = (kind: 'access' | 'refresh', value: string, maxAge: number, baseUrl: string): string => {
  const secure = isSecure(baseUrl) ? '; Secure' : ''
  return `${nameOf(kind, baseUrl)}=${value}; Path=${pathOf(kind, baseUrl)}; Max-Age=${maxAge}; HttpOnly; SameSite=Lax${secure}`
}

/** The headers that hand a browser its two tokens. */
export const settingCookies = (tokens: IssuedTokens, baseUrl: string) => ({
  'Set-Cookie': [
    cookie('access', tokens.access, accessSeconds, baseUrl),
    cookie('refresh', tokens.refresh, refreshSeconds, baseUrl),
  ],
})

/** The headers that make a browser forget both. */
export const clearingCookies = (baseUrl: string) => ({
  'Set-Cookie': [cookie('access', '', 0, baseUrl), cookie('refresh', '', 0, baseUrl)],
})
