import { describe, expect, it } from 'vitest'
import { buildSound } from '../../../test/test-support/film-fixtures.ts'
import { placeSounds } from './sound-track.ts'

/** Placed sounds as milliseconds. */
const placed = (...sounds: readonly [number, number][]) =>
  placeSounds(sounds.map(([at, duration]) => buildSound(at, duration, Buffer.alloc(1)))).map(({ start, end, skip }) =>
    [start, end, skip].map((samples) => samples / 48),
  )

describe('placeSounds', () => {
  it('puts each sound at its own moment, so that no error adds up', () => {
    expect(placed([0, 10_000], [10_003, 10_000])).toEqual([
      [0, 10_000, 0],
      [10_003, 20_003, 0],
    ])
  })
  it('cuts the beginning of a sound that overlaps the former a little, and leaves its end where it was', () => {
    expect(placed([0, 10_000], [9990, 10_000])).toEqual([
      [0, 10_000, 0],
      [10_000, 19_990, 10],
    ])
  })
  it('lets one be heard at a time: what overlaps the next for longer ends where that begins', () => {
    expect(placed([0, 10_000], [2000, 3000], [4000, 90_000], [4000, 5000])).toEqual([
      [0, 2000, 0],
      [2000, 4000, 0],
      [4000, 9000, 0],
    ])
  })
  it('asks for no more of a sound than is heard of it', () => {
    const sounds = [buildSound(0, 900_000, Buffer.alloc(1)), buildSound(2000, 1000, Buffer.alloc(1))]
    expect(placeSounds(sounds).map(({ sound }) => sound.durationMs)).toEqual([2000, 1000])
  })
  it('cuts what is before the film', () => {
    expect(placed([-3000, 10_000], [-3000, 1000])).toEqual([[0, 7000, 3000]])
  })
  it('takes them in the order of time, whatever order they come in', () => {
    expect(placed([5000, 1000], [0, 1000]).map(([start]) => start)).toEqual([0, 5000])
  })
})
