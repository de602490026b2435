import { describe, expect, it } from 'vitest'
import { wordsOf } from '../hooks/use-texts.tsx'
import { phoneLanguages } from '../texts/phone.ts'
import { waitingText } from './waiting-text.ts'

const sending = (filesWaiting: number, beatsWaiting: number) => ({
  filesWaiting,
  beatsWaiting,
  dropped: 0,
  refused: 0,
  reached: true,
  lastContact: undefined,
})

describe('what is still being sent', () => {
  it('is said in numbers with their nouns', () => {
    const { t } = wordsOf(phoneLanguages[0], () => {})
    expect(waitingText(t, sending(0, 0))).toBeUndefined()
    expect(waitingText(t, sending(1, 0))).toBe('1 recording')
    expect(waitingText(t, sending(3, 0))).toBe('3 recordings')
    expect(waitingText(t, sending(0, 1))).toBe('1 short message')
    expect(waitingText(t, sending(3, 1))).toBe('3 recordings and 1 short message')
    expect(waitingText(t, sending(1, 1200))).toBe('1 recording and 1,200 short messages')
  })
})
