import { describe, expect, it } from 'vitest'
import type { SignedCapture } from './report.capture.model.ts'
import { captureBlocks } from './report.capture.view.ts'

const nothing: SignedCapture = { machines: [], signedItems: 0, notVerifiedItems: 0, notSignedItems: 0 }
const whole = {
  key: 'k'.repeat(43),
  registeredAt: '2026-09-04T10:00:00.000Z',
  endedAt: '2026-09-04T11:00:00.000Z',
  items: 12,
  gaps: [],
  missingItems: 0,
  brokenPlaces: 0,
  repeatedItems: 0,
}
const wordsOf = (capture: Partial<SignedCapture>): string =>
  captureBlocks({ ...nothing, ...capture })
    .slice(2)
    .map((block) => ('text' in block ? block.text : ''))
    .join(' | ')

describe('what a report says of the signed capture', () => {
  it('names the key, when it was registered, and how many items it signed', () => {
    expect(wordsOf({ machines: [whole], signedItems: 12 })).toBe(
      `A machine whose key (${whole.key}) was registered with the consent at 2026-09-04 10:00:00 UTC signed 12 items that are here. Its chain has no gap.`,
    )
  })

  it('names the places of which nothing is here, and what does not follow', () => {
    const gaps = [
      { from: 2, to: 2 },
      { from: 5, to: 9 },
    ]
    const words = wordsOf({
      machines: [{ ...whole, gaps, missingItems: 6, brokenPlaces: 1, repeatedItems: 2, endedAt: null }],
    })
    for (const part of [
      ...['No item is here of 6 places in its chain: 2, 5 to 9.', '1 item does not follow the one before.'],
      ...['2 items claim a place that another one has.', 'did not say where its chain ends'],
    ])
      expect(words).toContain(part)
  })

  it('says that nobody signed, and what came beside the machine', () => {
    expect(wordsOf({ notSignedItems: 1 })).toBe(
      'No machine signed in this session: 1 item came from applications that do not sign.',
    )
    const words = wordsOf({ machines: [whole], notSignedItems: 3, notVerifiedItems: 1 })
    expect(words).toContain('3 items came without a signature')
    expect(words).toContain('1 item came with a signature that is none by a machine of this session.')
  })
})
