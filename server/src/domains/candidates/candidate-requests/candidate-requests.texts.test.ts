import { consentLocales, requestKinds } from '@integrity/protocol'
import { describe, expect, it } from 'vitest'
import { aMailBrand } from '../../organisation/branding/letterhead.test-support.ts'
import { arrivalLetter, linkLetter } from './candidate-requests.texts.ts'

const given = {
  brand: aMailBrand('Acme'),
  url: 'https://interviews.example.org/requests/#ses_1.crq_1',
  expiresAt: Date.parse('2026-11-29T06:00:00Z'),
  environment: 'live',
} as const

describe('the message that carries a link', () => {
  for (const locale of consentLocales)
    for (const occasion of ['asked', 'answered', 'decided'] as const)
      it(`names the organisation, the link and its end in ${locale} when it was ${occasion}`, () => {
        const { subject, text } = linkLetter(locale, { ...given, occasion })
        expect(text).toContain('Acme')
        expect(text.split('\n')).toContain(given.url)
        expect(text).toMatch(/29 \S+ 2026, 06:00 UTC/)
        expect(`${subject}${text}`).not.toMatch(/[{}]/)
      })

  it('has another subject for each occasion, so that none looks like the one before', () => {
    for (const locale of consentLocales) {
      const subjects = (['asked', 'answered', 'decided'] as const).map(
        (occasion) => linkLetter(locale, { ...given, occasion }).subject,
      )
      expect(new Set(subjects).size).toBe(3)
    }
    const brand = aMailBrand('A\r\nBcc: b@example.org')
    expect(linkLetter('en', { ...given, brand, occasion: 'decided' }).subject).not.toMatch(/[\r\n]/)
  })

  it('is in English for a language that it is not written in, and says the sandbox first', () => {
    const wanted = { ...given, occasion: 'asked' } as const
    expect(linkLetter('fr-CH', wanted)).toEqual(linkLetter(undefined, wanted))
    expect(linkLetter('hi-IN', wanted)).not.toEqual(linkLetter('en', wanted))
    expect(linkLetter('en', { ...wanted, environment: 'sandbox' }).subject).toMatch(/^\[Sandbox\] /)
  })

  it('keeps a name on one line, and takes nothing in it for a place to fill in', () => {
    const { text } = linkLetter('en', {
      ...given,
      occasion: 'answered',
      brand: aMailBrand('A\r\nBcc: b@example.org\u2028{until} $&'),
    })
    expect(text.split('\n')).toContain(
      'A Bcc: {until} $& has written to you about a request of yours. What they wrote is on this page:',
    )
  })
})

describe('the message that something has arrived', () => {
  it('has a handle where there is one, on one line', () => {
    const arrived = { ...given, kind: 'access', sessionId: 'ses_1', dueAt: null } as const
    expect(arrivalLetter({ ...arrived, externalId: 'REQ\n1' }).text.split('\n')).toContain('Your handle: REQ 1')
    expect(arrivalLetter({ ...arrived, externalId: null }).text).not.toContain('Your handle')
  })

  it('says what kind it is and until when an answer is due', () => {
    const arrived = { ...given, sessionId: 'ses_1', externalId: null, dueAt: given.expiresAt } as const
    const subjects = requestKinds.map((kind) => arrivalLetter({ ...arrived, kind }).subject)
    expect(new Set(subjects).size).toBe(requestKinds.length)
    expect(arrivalLetter({ ...arrived, kind: 'erasure' }).text).toMatch(
      /^Answer by: {3}\S+ 29 November 2026, 06:00 UTC$/m,
    )
    expect(arrivalLetter({ ...arrived, kind: 'context_statement', dueAt: null }).text).not.toContain('Answer by')
  })
})
