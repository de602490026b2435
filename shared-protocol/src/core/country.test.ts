import { describe, expect, it } from 'vitest'
import { countryCode } from './country.ts'

describe('the country in a request', () => {
  it('is one that is assigned, in capitals, and a refusal says which standard', () => {
    for (const code of ['IN', 'DE']) expect(countryCode.parse(code)).toBe(code)
    for (const code of ['in', 'UK', 'EU', 'ZZ', 'IND', '', ' IN', 'toString', null])
      expect(countryCode.safeParse(code).success, String(code)).toBe(false)
    expect(countryCode.safeParse('UK').error?.issues[0]?.message).toContain('ISO 3166-1 alpha-2')
  })
})
