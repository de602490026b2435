import { describe, expect, it } from 'vitest'
import { accountSentence, hasRecording, laneAmount } from './clients/lane-words.ts'
import { laneNames, lanes } from './domains/interviews/lanes/lanes.registry.ts'
import { laneAccountTexts } from './texts/areas/lane-account.ts'
import { requestsTexts } from './texts/areas/requests.ts'

const lane = { lane: 'microphone', enabled: true, declined: false, expectedMs: 50_000, observedMs: 34_210 } as const
const english = { texts: laneAccountTexts.en }
const none = { ...lane, expectedMs: 0, observedMs: 0, heldMs: 0 }

describe('the sentence of an account', () => {
  it('says what was reported of a lane and what is held, and never the one for the other', () => {
    expect(accountSentence({ ...lane, heldMs: 34_040 }, english)).toBe(
      'The application on the computer reported 34.2 s of 50 s; the service holds 34 s.',
    )
    expect(accountSentence({ ...lane, heldMs: 0 }, english)).toBe(
      'The application on the computer reported 34.2 s of 50 s; the service holds no recording of it.',
    )
  })

  it('says the same in Hindi, and lengths as the reader has them', () => {
    expect(accountSentence({ ...lane, heldMs: 34_040 }, { texts: laneAccountTexts.hi })).toBe(
      'कंप्यूटर के ऐप ने 50 सेकंड में से 34.2 सेकंड की सूचना दी; सेवा के पास 34 सेकंड की रिकॉर्डिंग है।',
    )
    const length = (ms: number) => `${ms} ms`
    expect(accountSentence({ ...lane, heldMs: 0 }, { texts: laneAccountTexts.hi, length })).toBe(
      'कंप्यूटर के ऐप ने 50000 ms में से 34210 ms की सूचना दी; सेवा के पास इसकी कोई रिकॉर्डिंग नहीं है।',
    )
  })

  it.each(['en', 'hi'] as const)(
    'tells a lane that is off, one that was declined and one that was never begun apart: %s',
    (language) => {
      const texts = laneAccountTexts[language]
      const each = [{ enabled: false }, { declined: true }, {}]
      expect(new Set(each.map((one) => accountSentence({ ...none, ...one }, { texts }))).size).toBe(3)
    },
  )

  it('names who reports a lane as the registry has it', () => {
    for (const name of laneNames) {
      const begin = laneAccountTexts.en[`laneAccount.${lanes[name].from}`].split(' reported')[0]
      expect(accountSentence({ ...lane, lane: name, heldMs: 1 }, english)).toMatch(new RegExp(`^${begin} reported`))
    }
  })

  it('says nothing of a recording where words are all there is', () => {
    expect(laneNames.filter((name) => !hasRecording(name))).toEqual(['transcript', 'signals'])
    expect(accountSentence({ ...lane, lane: 'transcript', heldMs: 0 }, english)).toBe(
      'The application on the computer reported 34.2 s of 50 s.',
    )
  })
})

it('a candidate reads what was reported and what is stored as two things', () => {
  const seconds = { expectedSeconds: 600, observedSeconds: 540 }
  const named = ([480, 0, null] as const).map((heldSeconds) =>
    laneAmount({ ...seconds, heldSeconds }, (value) => String(value / 60)),
  )
  expect(named.map(({ name }) => name)).toEqual(['stripAmount', 'stripNoneHeld', 'stripReported'])
  expect(named[0]?.values).toEqual({ observed: '9', expected: '10', held: '8' })
  for (const texts of Object.values(requestsTexts)) expect(texts.stripAmount).toContain('{held}')
})
