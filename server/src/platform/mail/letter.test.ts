import { describe, expect, it } from 'vitest'
import { brandedLetter, letterOf } from './letter.ts'

const link = 'https://example.org/page/#a.b'
const parts = ['Hello,', { link, label: 'Your page:', button: 'Open your page' }, { words: 'One\n<b>' }] as const
const look = { name: 'Harbour & Sons', accent: '#9c1458', accentText: '#fffafd' }
const logo = { cid: 'abc@logo', png: Buffer.from('png'), width: 48, height: 48 }

describe('a letter of an organisation', () => {
  it('says the same in both forms: whatever is in the plain one is in the other, which has one button', () => {
    const { text, html } = brandedLetter({ language: 'en', subject: 'Subject', parts, look })
    expect(text).toBe(`Hello,\n\nYour page:\n${link}\n\n> One\n> <b>\n`)
    const read = html.slice(html.indexOf('<body')).replaceAll(/<[^>]+>/g, ' ')
    for (const words of ['Hello,', 'Your page:', link, 'One', '&lt;b&gt;', 'Harbour &amp; Sons'])
      expect(read).toContain(words)
    expect(html.match(/<table/g)).toHaveLength(1)
    expect(html).toMatch(/<td bgcolor="#9c1458"[^>]*><a href="[^"]+#a\.b" style="color:#fffafd/)
  })

  it('loads nothing: the logo comes with it, and the name stands beside it for those who see no pictures', () => {
    const { html, pictures } = brandedLetter({ language: 'hi', subject: 'S', parts, look: { ...look, logo } })
    expect(html.match(/src="[^"]*"/g)).toEqual(['src="cid:abc@logo"'])
    expect(html).not.toMatch(/url\(|<link|<script/)
    expect(html).toMatch(/alt="" width="48" height="48"[^>]*>Harbour &amp; Sons/)
    expect(pictures).toEqual([{ ...logo }])
  })

  it('takes a name as words, in one line', () => {
    const { html } = brandedLetter({ language: 'en', subject: 'S', parts, look: { ...look, name: '<i>\r\nx' } })
    expect(html).toContain('&lt;i&gt; x')
  })

  it('of the service itself has neither a name nor a button', () => {
    const { html, pictures } = letterOf('en', 'S', parts)
    expect(html).not.toMatch(/<table|<img/)
    expect(html).toContain(`<a href="${link}">`)
    expect(pictures).toBeUndefined()
  })
})
