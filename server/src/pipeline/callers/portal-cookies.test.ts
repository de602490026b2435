import { describe, expect, it } from 'vitest'
import { clearingCookies, readPortalCookies as readBehind, settingCookies } from './portal-cookies.ts'

const access = `pac_${'a'.repeat(32)}`
const refresh = `prf_${'b'.repeat(32)}`
const readPortalCookies = (header: string | undefined) => readBehind(header, 'http://a')
const none = { access: undefined, refresh: undefined }

describe('readPortalCookies', () => {
  it('finds both among others, in any order and with any blanks', () => {
    const both = { access, refresh }
    expect(readPortalCookies(`portal_access=${access}; portal_refresh=${refresh}`)).toEqual(both)
    expect(readPortalCookies(`a=b;portal_refresh=${refresh};portal_access=${access};c`)).toEqual(both)
    expect(readPortalCookies(` portal_refresh = ${refresh} ;  portal_access=${access}`)).toEqual(both)
  })

  it.each([
    undefined,
    '',
    ';;=;',
    'portal_access',
    'portal_access=',
    `Portal_Access=${access}`,
    `xportal_access=${access}`,
    `portal_access="${access}"`,
    `portal_access=${access}x`,
    `portal_access=${access.slice(0, -1)}`,
    `portal_access=sk_test_${'a'.repeat(32)}`,
  ])('finds nothing in %j', (header) => {
    expect(readPortalCookies(header)).toEqual(none)
  })

  it('takes neither token for the other', () => {
    expect(readPortalCookies(`portal_access=${refresh}; portal_refresh=${access}`)).toEqual(none)
  })

  it('takes the first of two with one name, and does not fall back to the second', () => {
    const other = `pac_${'c'.repeat(32)}`
    expect(readPortalCookies(`portal_access=${access}; portal_access=${other}`).access).toBe(access)
    expect(readPortalCookies(`portal_access=x; portal_access=${other}`).access).toBeUndefined()
  })

  it('reads a header of a megabyte', () => {
    expect(readPortalCookies(`${'a=b; '.repeat(200_000)}portal_access=${access}`).access).toBe(access)
  })
})

describe('behind https', () => {
  it('takes only cookies that no neighbour of the domain can put', () => {
    const ours = `__Host-portal_access=${access}; __Host-portal_refresh=${refresh}`
    expect(readBehind(ours, 'https://a')).toEqual({ access, refresh })
    expect(readBehind(`portal_access=${access}; portal_refresh=${refresh}`, 'https://a')).toEqual(none)
  })

  it('sets them as browsers ask of that name: Secure, for every path, without a domain', () => {
    const tokens = { access, refresh, accessExpiresAt: 0, refreshExpiresAt: 0 }
    for (const { 'Set-Cookie': lines } of [settingCookies(tokens, 'https://a'), clearingCookies('https://a')])
      for (const line of lines) {
        expect(line).toMatch(/^__Host-portal_(access|refresh)=.*; Path=\/;.*; Secure$/)
        expect(line).not.toMatch(/domain/i)
      }
  })
})

describe('the cookies that are set and cleared', () => {
  const tokens = { access, refresh, accessExpiresAt: 0, refreshExpiresAt: 0 }
  const nameAndPath = (lines: readonly string[]) =>
    lines.map((line) => [line.split('=')[0], /Path=([^;]*)/.exec(line)?.[1]])

  it('have the same names and paths, or a browser would keep them', () => {
    const set = nameAndPath(settingCookies(tokens, 'http://a')['Set-Cookie'])
    expect(nameAndPath(clearingCookies('http://a')['Set-Cookie'])).toEqual(set)
    expect(set).toEqual([
      ['portal_access', '/'],
      ['portal_refresh', '/v1/auth'],
    ])
  })

  it('are Secure exactly where the service is reached by https', () => {
    for (const line of settingCookies(tokens, 'https://a')['Set-Cookie']) expect(line).toMatch(/; Secure$/)
    for (const line of settingCookies(tokens, 'http://a')['Set-Cookie']) expect(line).not.toContain('Secure')
    for (const line of clearingCookies('https://a')['Set-Cookie']) expect(line).toMatch(/Max-Age=0;.*; Secure$/)
  })
})
