import { describe, expect, it } from 'vitest'
import { countryCodes, isCountry } from './countries.ts'

describe('a country', () => {
  it('is one of the 249 that are assigned, each once and in the order of the alphabet', () => {
    expect(countryCodes).toHaveLength(249)
    expect([...new Set(countryCodes)].sort()).toEqual(countryCodes)
    for (const code of countryCodes) expect(code).toMatch(/^[A-Z]{2}$/)
  })

  it('has a name in the language data of the platform', () => {
    const inWords = new Intl.DisplayNames(['en'], { type: 'region', fallback: 'none' })
    expect(countryCodes.filter((code) => inWords.of(code) === undefined)).toEqual([])
  })

  it('is spelled in capitals, and is none of what only looks like one', () => {
    for (const code of ['IN', 'DE', 'XK', 'in', 'UK', 'EU', 'ZZ', 'I', 'IND', '', ' IN', 'toString'])
      expect(isCountry(code), code).toBe(['IN', 'DE'].includes(code))
  })
})
