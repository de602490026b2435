import { createHash } from 'node:crypto'
import { captureEndText, captureItemText, captureKeyText, type SignedItem } from '@integrity/protocol'
import vectors from '@integrity/protocol/vectors/capture-chain.json' with { type: 'json' }
import { describe, expect, it } from 'vitest'
import { ChainWalk, isSignedBy } from './capture-keys.model.ts'

const { key, sessionId, registration, items, end } = vectors

const chain: SignedItem[] = []
for (let sequence = 1; sequence <= 6; sequence += 1) {
  const before = chain.at(-1)
  const previous = before ? createHash('sha256').update(captureItemText(before)).digest('hex') : '0'.repeat(64)
  const sha256 = createHash('sha256').update(String(sequence)).digest('hex')
  const item = { sessionId, sequence, previous, evidenceType: 'screenshot', sha256, capturedAt: sequence * 1000 }
  chain.push({ ...item, durationMs: null })
}
const lastHash = createHash('sha256')
  .update(captureItemText(chain.at(-1)!))
  .digest('hex')

const walked = (links: readonly SignedItem[], last?: { items: number; hash: string }) => {
  const walk = new ChainWalk()
  for (const link of links) walk.take(link)
  if (last) walk.end(last.items, last.hash)
  return walk
}
const whole = { items: 6, gaps: [], missingItems: 0, breaks: [], brokenPlaces: 0, repeated: [], repeatedItems: 0 }

describe("a machine's signatures", () => {
  it('are what the vectors say', () => {
    expect(captureKeyText({ sessionId, key, documentHash: registration.documentHash })).toBe(registration.text)
    expect(captureEndText({ sessionId, key, items: end.items, last: end.last })).toBe(end.text)
    for (const { bytes, text, hash, signature: _, ...item } of items) {
      expect(captureItemText({ ...item, sessionId })).toBe(text)
      expect(createHash('sha256').update(bytes).digest('hex')).toBe(item.sha256)
      expect(createHash('sha256').update(text).digest('hex')).toBe(hash)
    }
    const walk = walked(
      items.map((item) => ({ ...item, sessionId })),
      { items: end.items, hash: end.last },
    )
    expect(walk).toMatchObject({ ...whole, items: 3 })
  })

  it('hold for their text and their key alone', () => {
    for (const { text, signature } of [registration, ...items, end]) {
      expect(isSignedBy(key, text, signature)).toBe(true)
      expect(isSignedBy(key, `${text} `, signature)).toBe(false)
      expect(isSignedBy(key.replace('1', '2'), text, signature)).toBe(false)
    }
    expect(isSignedBy('_'.repeat(43), end.text, end.signature)).toBe(false)
  })
})

describe("a machine's chain", () => {
  it('is whole where each item names the one before, to the end that the machine named', () => {
    expect(walked(chain, { items: 6, hash: lastHash })).toMatchObject(whole)
    expect(walked([], { items: 0, hash: '0'.repeat(64) })).toMatchObject({ ...whole, items: 0 })
  })

  it('shows gaps: at its beginning, in between, and at its end', () => {
    const walk = walked([chain[1]!, chain[4]!], { items: 6, hash: lastHash })
    const gaps = [
      { from: 1, to: 1 },
      { from: 3, to: 4 },
      { from: 6, to: 6 },
    ]
    expect(walk).toMatchObject({ ...whole, items: 2, missingItems: 4, gaps })
  })

  it('breaks behind an item that was replaced, and where items changed places', () => {
    const other = { ...chain[2]!, sha256: 'f'.repeat(64) }
    expect(walked(chain.with(2, other))).toMatchObject({ ...whole, brokenPlaces: 1, breaks: [4] })
    const swapped = chain.with(2, { ...chain[3]!, sequence: 3 }).with(3, { ...chain[2]!, sequence: 4 })
    expect(walked(swapped)).toMatchObject({ ...whole, brokenPlaces: 3, breaks: [3, 4, 5] })
    expect(walked(chain, { items: 6, hash: 'f'.repeat(64) })).toMatchObject({ ...whole, brokenPlaces: 1, breaks: [7] })
    expect(walked([{ ...chain[0]!, previous: 'f'.repeat(64) }])).toMatchObject({ items: 1, breaks: [1] })
  })

  it('shows what was signed behind the end, and places that two items claim', () => {
    expect(walked(chain, { items: 4, hash: lastHash })).toMatchObject({ ...whole, brokenPlaces: 1, breaks: [5] })
    const twice = [...chain.slice(0, 3), { ...chain[2]!, sha256: 'f'.repeat(64) }, ...chain.slice(3)]
    expect(walked(twice)).toMatchObject({ ...whole, items: 7, repeatedItems: 1, repeated: [3] })
  })

  it('names no more than a hundred places, and counts the rest', () => {
    const sparse = Array.from({ length: 150 }, (_, at) => ({ ...chain[0]!, sequence: 2 * at + 2 }))
    const walk = walked(sparse)
    expect([walk.gaps.length, walk.missingItems]).toEqual([100, 150])
    const wrong = Array.from({ length: 150 }, (_, at) => ({ ...chain[1]!, sequence: at + 1 }))
    expect([walked(wrong).breaks.length, walked(wrong).brokenPlaces]).toEqual([100, 150])
  })
})
