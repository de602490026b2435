import { describe, expect, it } from 'vitest'
import { verifyPages } from './verify-page.ts'

describe('the page that checks a bundle', () => {
  it('is one page, with the policy that it carries itself, which forbids it every network, and nobody may frame it', () => {
    const pages = verifyPages()
    expect([...pages].map(([address, { type }]) => [address, type])).toEqual([['/verify/', 'text/html']])
    const policy = pages.get('/verify/')?.headers['Content-Security-Policy']?.split('; ') ?? []
    expect(policy).toEqual(
      expect.arrayContaining(["default-src 'none'", "form-action 'none'", "frame-ancestors 'none'"]),
    )
    expect(policy.filter((rule) => rule.startsWith('connect-src'))).toEqual([])
    expect(policy.find((rule) => rule.startsWith('script-src'))).toMatch(/^script-src 'sha256-[\w+/=]+'$/)
  })
})
