import { describe, expect, it } from 'vitest'
import { listOf, type Source } from './lists.service.ts'

/** So many of a name; each part that is read is noted. */
const source =
  (name: string, total: number, parts: string[] = []): Source<{ id: string }> =>
  async () => ({
    total,
    page: async ({ skip, take }) => {
      parts.push(`${name} ${skip}+${take}`)
      return Array.from({ length: Math.min(take, total - skip) }, (_, n) => ({ id: `${name}${skip + n + 1}` }))
    },
  })

const idsOf = async (startIndex: number, count: number, parts: string[] = []) => {
  const list = await listOf({ startIndex, count }, [source('u', 3, parts), source('g', 2, parts)])
  return { ids: list.Resources.map(({ id }) => id), total: list.totalResults, from: list.startIndex }
}

describe('a list of one kind of resource after the other', () => {
  it.each([
    [1, 10, ['u1', 'u2', 'u3', 'g1', 'g2']],
    [3, 2, ['u3', 'g1']],
    [4, 1, ['g1']],
    [5, 9, ['g2']],
    [6, 9, []],
    [2, 0, []],
  ])('from %i, %i of them', async (startIndex, count, ids) => {
    expect(await idsOf(startIndex, count)).toEqual({ ids, total: 5, from: startIndex })
  })

  it('begins at the first for whoever asks before it, and asks of each kind for what is still wanted', async () => {
    const parts: string[] = []
    expect((await idsOf(-4, 4, parts)).ids).toEqual(['u1', 'u2', 'u3', 'g1'])
    expect(parts).toEqual(['u 0+4', 'g 0+1'])
  })
})
