import { expect, it } from 'vitest'
import { accountSentence } from './account.texts.ts'

const lane = { lane: 'microphone', enabled: true, declined: false, expectedMs: 50_000, observedMs: 34_210 } as const

it('says what was reported of a lane and what is held, and never the one for the other', () => {
  expect(accountSentence({ ...lane, heldMs: 34_040 })).toBe(
    'The application on the computer reported 34.2 s of 50 s; the service holds 34 s.',
  )
  expect(accountSentence({ ...lane, heldMs: 0 })).toBe(
    'The application on the computer reported 34.2 s of 50 s; the service holds no recording of it.',
  )
})

it('tells a lane that is off, one that was declined and one that was never begun apart', () => {
  const none = { ...lane, expectedMs: 0, observedMs: 0, heldMs: 0 }
  const sentences = [{ enabled: false }, { declined: true }, {}].map((one) => accountSentence({ ...none, ...one }))
  expect(new Set(sentences).size).toBe(3)
})
