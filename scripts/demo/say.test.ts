import { describe, expect, it } from 'vitest'
import { claim, claimsHeld, DemoFailure, table } from './say.ts'

describe('a claim of the demo', () => {
  it('counts when it holds and ends the demo when it does not', () => {
    const before = claimsHeld()
    claim(true, 'it holds')
    expect(claimsHeld()).toBe(before + 1)
    expect(() => claim(false, 'it holds', 'but why')).toThrow(DemoFailure)
    expect(claimsHeld()).toBe(before + 1)
  })
})

describe('a table of the demo', () => {
  it('makes each column as wide as its widest cell', () => {
    expect(table(['lane', 's'], [['microphone', '5']])).toBe('  lane        s\n  ────        ─\n  microphone  5')
  })
})
