import { builtInRoles } from '@integrity/protocol'
import { describe, expect, it } from 'vitest'
import { aMailBrand } from '../../organisation/branding/letterhead.test-support.ts'
import { welcomeLetter } from './member.messages.ts'

const brand = aMailBrand('Blue Harbour')
const given = { locale: 'en', brand, name: 'Asha Rao', role: 'reviewer', isNew: false } as const

describe('the letter to a new member', () => {
  it('names the organisation and the role, and asks who has an account for nothing', () => {
    const { subject, text, html } = welcomeLetter(given)
    expect(subject).toBe('You are now a member of Blue Harbour')
    expect(text).toContain('Your role there: reviewer.')
    expect(text).toContain('You need not do anything')
    expect(text).not.toMatch(/password/i)
    expect(html).toContain('lang="en"')
  })

  it('tells who has no password how to set one, by a link where there is one', () => {
    expect(welcomeLetter({ ...given, isNew: true }).text).toContain('“I do not know my password”')
    const link = { url: 'https://example.org/password/#pwr_x', until: Date.UTC(2026, 10, 30) }
    const { text, html } = welcomeLetter({ ...given, isNew: true, link })
    expect(text).toContain(link.url)
    expect(text).not.toContain('“I do not know my password”')
    expect(html).toContain(`<a href="${link.url}">`)
  })

  it('is written in each language for each role, with nothing left to fill in, and in English for others', () => {
    for (const locale of ['en', 'hi', 'xx', undefined])
      for (const role of builtInRoles) {
        const { subject, text, html } = welcomeLetter({ ...given, locale, role, isNew: true })
        for (const words of [subject, text, html.replace(/<style>.*<\/style>/s, '')])
          expect(words).not.toMatch(/\{\w+\}/)
        expect(/[ऀ-ॿ]/.test(text)).toBe(locale === 'hi')
      }
  })

  it('takes the names of others as words: neither a header nor markup', () => {
    const { subject, html } = welcomeLetter({
      ...given,
      brand: aMailBrand('<b>Evil</b>\r\nBcc: x@y.z'),
      name: '<img src=x>',
    })
    expect(subject).not.toMatch(/[\r\n]/)
    expect(html).not.toMatch(/<b>|<img/)
  })
})
