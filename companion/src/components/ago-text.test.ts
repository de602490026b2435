import { describe, expect, it } from 'vitest'
import { wordsOf } from '../hooks/use-texts.tsx'
import { phoneLanguages } from '../texts/phone.ts'
import { agoText } from './ago-text.ts'

describe('how long ago the service was reached', () => {
  it('is a moment at first, and then in seconds', () => {
    const { t } = wordsOf(phoneLanguages[0], () => {})
    const ago = (contact: number | undefined) => agoText(t, contact, 60_000)
    // A clock that was set meanwhile makes no seconds below nothing.
    expect([undefined, 61_000, 60_000, 56_000, 55_000, 1_000].map(ago)).toEqual([
      'none yet',
      'just now',
      'just now',
      'just now',
      '5 s ago',
      '59 s ago',
    ])
  })
})
