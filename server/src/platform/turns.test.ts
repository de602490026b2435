import { describe, expect, it } from 'vitest'
import { createTurns } from './turns.ts'

const busy = new Error('busy')
const turnsOf = (options: Partial<Parameters<typeof createTurns>[0]> = {}) => {
  const turns = createTurns({ parallel: 1, waitingOfOwner: 3, waiting: 5, refuse: () => busy, ...options })
  const began: string[] = []
  const ends = new Map<string, () => void>()
  const run = (owner: string, name: string) =>
    turns.run(owner, () => {
      began.push(name)
      return new Promise<string>((resolve) => ends.set(name, () => resolve(name)))
    })
  const end = async (name: string) => {
    ends.get(name)?.()
    await new Promise(setImmediate)
  }
  return { turns, began, run, end }
}

describe('turns', () => {
  it('let no more run than there may at once, and give owners their turn one after the other', async () => {
    const { began, run, end } = turnsOf()
    const all = [run('a', 'a1'), run('a', 'a2'), run('a', 'a3'), run('b', 'b1')]
    await new Promise(setImmediate)
    expect(began).toEqual(['a1'])
    for (const name of ['a1', 'a2', 'b1', 'a3']) await end(name)
    expect(began).toEqual(['a1', 'a2', 'b1', 'a3'])
    expect(await Promise.all(all)).toEqual(['a1', 'a2', 'a3', 'b1'])
  })

  it('refuse an owner who has too much waiting, and nobody else', async () => {
    const { run, end } = turnsOf({ waitingOfOwner: 1 })
    const first = [run('a', 'a1'), run('a', 'a2')]
    await expect(run('a', 'a3')).rejects.toBe(busy)
    const other = run('b', 'b1')
    for (const name of ['a1', 'a2', 'b1', 'a2']) await end(name)
    expect(await Promise.all([...first, other])).toEqual(['a1', 'a2', 'b1'])
  })

  it('refuse everybody where too much is waiting', async () => {
    const { run, end } = turnsOf({ waiting: 1 })
    const all = [run('a', 'a1'), run('b', 'b1')]
    await expect(run('c', 'c1')).rejects.toBe(busy)
    for (const name of ['a1', 'b1']) await end(name)
    await Promise.all(all)
  })

  it('go on after work that failed', async () => {
    const { turns } = turnsOf()
    await expect(turns.run('a', () => Promise.reject(new Error('no')))).rejects.toThrow('no')
    expect(await turns.run('a', () => Promise.resolve(1))).toBe(1)
  })
})
