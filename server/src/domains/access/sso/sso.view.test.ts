import { describe, expect, it } from 'vitest'
import { landingOf } from './sso.view.ts'

type Taken = Parameters<typeof landingOf>[0]
const landing = (done: object, returnTo: string | null) => landingOf({ done, returnTo } as Taken)
const step = { challengeToken: 'sfc_1', methods: ['totp'], expiresAt: 0 }

describe('where a browser goes from an identity provider', () => {
  it('is where it was asked to go, or the account', () => {
    expect(landing({}, null)).toBe('/account/')
    expect(landing({}, '/docs')).toBe('/docs')
  })

  it('is a page that takes the second step, where there is one: the desk, at its place, or the account', () => {
    expect(landing(step, null)).toMatch(/^\/account\/#step\.[\w-]+$/)
    expect(landing(step, '/docs')).toMatch(/^\/account\/#step\.[\w-]+$/)
    expect(landing(step, '/desk/review/ses_1?cursor=a#x')).toMatch(/^\/desk\/review\/ses_1\?cursor=a#step\.[\w-]+$/)
  })
})
