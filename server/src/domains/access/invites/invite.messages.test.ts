import { builtInRoles } from '@integrity/protocol'
import { describe, expect, it } from 'vitest'
import { aMailBrand } from '../../organisation/branding/letterhead.test-support.ts'
import { inviteLetter } from './invite.messages.ts'

const invite = {
  locale: 'en',
  role: 'reviewer',
  customRoleName: null,
  message: null,
  expiresAt: 1_800_000_000_000,
} as const
const told = { brand: aMailBrand('Blue Harbour'), url: 'https://example.org/invite/#inv_1.inv_2', takesReplies: true }

describe('the letter with an invite', () => {
  it('names the organisation, the role and the link, and a custom role by its own name', () => {
    const { subject, text, html } = inviteLetter(invite, told)
    expect(subject).toBe('Blue Harbour invites you')
    expect(text).toContain('Your role there: reviewer.')
    expect(html).toContain(`<a href="${told.url}">`)
    expect(inviteLetter({ ...invite, customRoleName: 'Hiring desk' }, told).text).toContain('Hiring desk')
  })

  it('speaks of an answer only where somebody takes it', () => {
    expect(inviteLetter(invite, told).text).toContain('answer this message')
    expect(inviteLetter(invite, { ...told, takesReplies: false }).text).not.toContain('answer this message')
  })

  it('is written in each language for each role, with nothing left to fill in, and in English for others', () => {
    for (const locale of ['en', 'hi', 'xx'])
      for (const role of builtInRoles) {
        const { subject, text, html } = inviteLetter({ ...invite, locale, role, message: 'Words' }, told)
        for (const words of [subject, text, html]) expect(words).not.toMatch(/\{\w+\}|undefined/)
        expect(/[ऀ-ॿ]/.test(text)).toBe(locale === 'hi')
      }
  })

  it('takes the words of others as words: neither a header nor markup', () => {
    const org = '<b>Evil</b>\r\nBcc: x@y.z'
    const { subject, html } = inviteLetter(
      { ...invite, customRoleName: '<i>', message: '<script>' },
      { ...told, brand: aMailBrand(org) },
    )
    expect(subject).not.toMatch(/[\r\n]/)
    expect(html).not.toMatch(/<b>|<i>|<script/)
  })
})
