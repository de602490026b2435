import { describe, expect, it } from 'vitest'
import { withReturn } from './account-api.ts'
import { type Org, orgOf } from './desk-api.ts'

const [harbour, quay] = ['harbour', 'quay'].map((slug) => ({ slug }) as Org)
const both = [harbour!, quay!]

describe('the organisation of an address', () => {
  it('is the one that it names, and none where that is not theirs', () => {
    expect(orgOf(both, 'quay', 'harbour')).toBe(quay)
    expect(orgOf(both, 'elsewhere', 'harbour')).toBeUndefined()
  })

  it('is the one that was chosen last where it names none, else the first', () => {
    expect(orgOf(both, undefined, 'quay')).toBe(quay)
    expect(orgOf(both, undefined, 'left-meanwhile')).toBe(harbour)
    expect(orgOf([], undefined, undefined)).toBeUndefined()
  })
})

describe('a sign-in at an organisation', () => {
  it('comes back to the place that was asked for', () => {
    const url = 'https://service.example/v1/auth/sso/harbour/login'
    expect(withReturn(url, undefined)).toBe(url)
    expect(withReturn(url, '/desk/review/ses_1?cursor=a&b')).toBe(
      `${url}?returnTo=%2Fdesk%2Freview%2Fses_1%3Fcursor%3Da%26b`,
    )
  })
})
