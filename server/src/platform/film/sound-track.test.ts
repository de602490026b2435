import { describe, expect, it } from 'vitest'
import { buildSound } from '../../../test/test-support/film-fixtures.ts'
import { heardOf } from './sound-mix.ts'
import { placeSounds } from './sound-track.ts'

/** Begin, told length, and what else; placed as `start end skip` in milliseconds. */
const placed = (...sounds: readonly [number, number, { atMs?: number }?][]) =>
  placeSounds(
    sounds.map(([at, duration, overrides]) => buildSound(at, duration, Buffer.alloc(1), overrides)),
    0,
    48 * 20_000,
  ).map(({ start, end, skip }) => [start, end, skip].map((samples) => samples / 48))

describe('placeSounds', () => {
  it('puts each sound at its own moment, so that no error adds up', () => {
    expect(placed([0, 5000], [5003, 5000])).toEqual([
      [0, 5000, 0],
      [5003, 10_003, 0],
    ])
  })
  it('leaves out what is before the moment from which a sound is heard', () => {
    expect(placed([-3000, 10_000], [8000, 2000, { atMs: 8010 }])).toEqual([
      [0, 7000, 3000],
      [8010, 10_000, 10],
    ])
  })
  it('lets the upper be heard, and the one beneath again where it would be by then', () => {
    expect(placed([0, 10_000], [2000, 3000])).toEqual([
      [0, 2000, 0],
      [2000, 5000, 0],
      [5000, 10_000, 5000],
    ])
  })
  it('asks for a sound once, though others begin and end beneath it', () => {
    expect(placed([1000, 2000], [0, 10_000])).toEqual([[0, 10_000, 0]])
  })
})

describe('what is heard of two channels', () => {
  const pairs = (...values: readonly [number, number][]) => {
    const bytes = Buffer.alloc(values.length * 4)
    for (const [i, [all, first]] of values.entries()) {
      bytes.writeInt16LE(all, i * 4)
      bytes.writeInt16LE(first, i * 4 + 2)
    }
    return bytes
  }
  const samples = (bytes: Buffer) => Array.from({ length: bytes.length / 2 }, (_, i) => bytes.readInt16LE(i * 2))

  it('is all of them together', () => {
    expect(samples(heardOf(pairs([500, 1000], [-500, -1000])))).toEqual([500, -500])
  })
  it('is the first one where they cancel each other', () => {
    expect(samples(heardOf(pairs([0, 1000], [1, -1000])))).toEqual([1000, -1000])
  })
  it('is silence where all are silent', () => {
    expect(samples(heardOf(pairs([0, 3], [1, -3])))).toEqual([0, 1])
    expect(heardOf(Buffer.alloc(0))).toHaveLength(0)
  })
})
