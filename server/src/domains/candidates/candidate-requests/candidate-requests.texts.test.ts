import { consentLocales } from '@integrity/protocol'
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
    const arrived = { sessionId: 'ses_1', url: 'https://interviews.example.org/x', environment: 'live' } as const
    expect(arrivalLetter({ ...arrived, externalId: 'REQ\n1' }).text.split('\n')).toContain('Your handle: REQ 1')
    expect(arrivalLetter({ ...arrived, externalId: null }).text).not.toContain('Your handle')
  })
})
