import { describe, expect, it } from 'vitest'
import { inOrderAhead } from './in-order-ahead.ts'

const gathered = async <T>(all: AsyncIterable<T>): Promise<T[]> => {
  const found: T[] = []
  for await (const one of all) found.push(one)
  return found
}

describe('inOrderAhead', () => {
  it('gives everything in order, whatever is made first', async () => {
    const turns = [3, 0, 2, 1, 0]
    const make = async (wait: number): Promise<number> => {
      for (let turn = 0; turn < wait; turn++) await Promise.resolve()
      return wait
    }
    for (const ahead of [0, 1, 2, 10]) expect(await gathered(inOrderAhead(turns, ahead, make))).toEqual(turns)
    expect(await gathered(inOrderAhead([], 2, make))).toEqual([])
  })

  it('begins no more than it may ahead of the one that is given out', async () => {
    let begun = 0
    const all = inOrderAhead([1, 2, 3, 4, 5, 6], 2, async (n) => {
      begun += 1
      return n
    })
    const seen: number[] = []
    for await (const _one of all) seen.push(begun)
    expect(seen).toEqual([3, 4, 5, 6, 6, 6])
  })

  it('fails in the place of the one that failed', async () => {
    const given: number[] = []
    const run = async () => {
      for await (const one of inOrderAhead([1, 2, 3], 2, async (n) => {
        if (n > 1) throw new Error(`no ${n}`)
        return n
      }))
        given.push(one)
    }
    await expect(run()).rejects.toThrow('no 2')
    expect(given).toEqual([1])
  })
})
