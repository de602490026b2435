import { describe, expect, it } from 'vitest'
import { fill, fillPlain, pickLanguage } from './language.ts'

const languages: readonly [{ code: string }, ...{ code: string }[]] = [{ code: 'en' }, { code: 'hi' }]

describe('the language', () => {
  it('is the first that the person asks for and that there is, else the first of all', () => {
    expect(pickLanguage(languages, [null, undefined, 'de-DE', 'hi-IN', 'en']).code).toBe('hi')
    expect(pickLanguage(languages, ['HI']).code).toBe('hi')
    expect(pickLanguage(languages, ['en-GB', 'hi']).code).toBe('en')
    expect(pickLanguage(languages, ['xx', '']).code).toBe('en')
    expect(pickLanguage(languages, []).code).toBe('en')
  })

  it('fills holes in, numbers its own way, and nothing else', () => {
    expect(fill('{n} of {org}', { n: 123456, org: '{n}' }, 'hi')).toBe('1,23,456 of {n}')
    expect(fill('{unknown}', {}, 'en')).toBe('{unknown}')
    const left = '{n} {n|picture is|pictures are} still being sent'
    expect(fill(left, { n: 1 }, 'en')).toBe('1 picture is still being sent')
    expect(fill(left, { n: 3 }, 'en')).toBe('3 pictures are still being sent')
    // None is one of a kind in Hindi.
    expect(fill('{n} {n|चीज़|चीज़ें}', { n: 0 }, 'hi')).toBe('0 चीज़')
    expect(fillPlain(left, { n: 1 })).toBe('1 picture is still being sent')
    expect(fillPlain('{n} of {org}, {unknown}', { n: 123456, org: '{n}' })).toBe('123456 of {n}, {unknown}')
  })
})
