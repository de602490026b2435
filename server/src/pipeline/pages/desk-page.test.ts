import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { pageFor } from '../../kernel/page-links.ts'
import { deskPages } from './desk-page.ts'

const config = { baseUrl: '' } as Parameters<typeof pageFor>[0]['config']
const id = 'ses_01jd0000000000000000000000'
let folder: string
beforeEach(() => {
  folder = mkdtempSync(path.join(tmpdir(), 'desk-pages-'))
  writeFileSync(path.join(folder, 'index.html'), '<script>let desk</script>')
  writeFileSync(path.join(folder, 'account.html'), '<script>let account</script>')
  mkdirSync(path.join(folder, 'assets'))
  writeFileSync(path.join(folder, 'assets', 'room-1a.js'), 'let room')
})
afterEach(() => rmSync(folder, { recursive: true }))

describe('the addresses of the desk', () => {
  it.each([
    { kind: 'session', id },
    { kind: 'report', id },
    { kind: 'candidate_request', id: id.replace('ses', 'crr') },
    { kind: 'reviews' },
    { kind: 'access_requests' },
  ] as const)('%o leads to its page', (subject) => {
    const pages = deskPages(folder)
    expect(pages.get(pageFor({ config }, subject))).toBe(pages.get('/desk/'))
  })

  it('have one page, the account has another, and nothing else is theirs', () => {
    const pages = deskPages(folder)
    const desk = pages.get('/desk/')
    expect(desk?.type).toBe('text/html')
    expect(pages.get(`/desk/harbour/review/${id}`)).toBe(desk)
    expect(pages.get('/account/')?.hash).not.toBe(desk?.hash)
    const room = pages.get('/desk/assets/room-1a.js')
    expect([room?.type, room?.cacheControl]).toEqual(['text/javascript', 'public, max-age=31536000, immutable'])
    expect(pages.get('/desk/assets/room-of-yesterday.js')).toBeUndefined()
    for (const other of ['/desk', '/account/assets/a.js', '/room/']) expect(pages.get(other)).toBeUndefined()
  })

  it('allow scripts of this service and no other, no device, and no frame around them', () => {
    const { headers } = deskPages(folder).get('/desk/') ?? { headers: {} as Record<string, string> }
    const policy = headers['Content-Security-Policy']?.split('; ') ?? []
    expect(policy.filter((rule) => rule.startsWith('script-src'))).toEqual([
      expect.stringMatching(/^script-src 'self' 'sha256-[\w+/=]+'$/),
    ])
    expect(policy).toEqual(
      expect.arrayContaining(["default-src 'none'", "connect-src 'self'", "frame-ancestors 'none'"]),
    )
    expect(headers['Permissions-Policy']).toMatch(/^camera=\(\)/)
  })

  it('show recordings out of the memory of the desk’s page, and of no other', () => {
    const policyOf = (at: string) => deskPages(folder).get(at)?.headers['Content-Security-Policy']?.split('; ')
    const shown = ["img-src 'self' data: blob:", 'media-src blob:']
    expect(policyOf('/desk/')).toEqual(expect.arrayContaining(shown))
    expect(policyOf('/account/')).not.toEqual(expect.arrayContaining(shown.slice(1)))
  })

  it('are unavailable, in words, when the client was not built', () => {
    rmSync(path.join(folder, 'index.html'))
    expect(() => deskPages(folder)).toThrow('the browser client is not built here')
  })
})
