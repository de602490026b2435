import { describe, expect, it } from 'vitest'
import { roomFor, tooLarge } from './reels.cut.model.ts'

const at = (...places: readonly (readonly [at: number, sizeBytes: number])[]) =>
  places.map(([instant, sizeBytes]) => ({ at: instant, sizeBytes }))
const limits = { bytes: 100, items: 4 }

describe('the items of a reel', () => {
  it('are all, where all have room', () => {
    expect(roomFor([], limits)).toBe(0)
    expect(roomFor(at([1, 40], [2, 40], [3, 20]), limits)).toBe(3)
  })

  it('end before the one for which there are no bytes left, or which is one too many', () => {
    expect(roomFor(at([1, 40], [2, 40], [3, 21]), limits)).toBe(2)
    expect(roomFor(at([1, 1], [2, 1], [3, 1], [4, 1], [5, 1]), limits)).toBe(4)
  })

  it('never end within an instant: what is of it comes together, now or next time', () => {
    expect(roomFor(at([1, 40], [2, 40], [2, 40], [3, 1]), limits)).toBe(1)
    expect(roomFor(at([1, 1], [2, 1], [2, 1], [2, 1], [2, 1]), limits)).toBe(1)
  })

  it('are at least those of the first instant, however many and large they are', () => {
    expect(roomFor(at([1, 90], [1, 90], [2, 1]), limits)).toBe(2)
    expect(roomFor(at([1, 1], [1, 1], [1, 1], [1, 1], [1, 1], [2, 1]), limits)).toBe(5)
  })

  it('are left out from the largest on, until the others have room', () => {
    const items = at([1, 30], [1, 500], [1, 80])
    expect([...tooLarge(items, 100)]).toEqual([items[1], items[2]])
    expect([...tooLarge(items, 110)]).toEqual([items[1]])
    expect([...tooLarge(items, 610)]).toEqual([])
  })
})
