import { describe, expect, it } from 'vitest'
import { Together } from './together.ts'

interface Call {
  readonly name: string
  readonly refuse?: boolean
}
type Settled = readonly (PromiseSettledResult<string> | undefined)[] | undefined

/** Groups that end when they are told to. */
const scripted = (limit = 3, atOnce = 2) => {
  const groups: { names: string[]; end: (settled?: Settled | Error) => void }[] = []
  const alone: string[] = []
  const together = new Together<Call, string>({
    limit,
    atOnce,
    write: (calls) =>
      new Promise((resolve, reject) => {
        const names = calls.map(({ name }) => name)
        const done = calls.map(
          ({ name, refuse }): PromiseSettledResult<string> =>
            refuse
              ? { status: 'rejected', reason: new Error(`no ${name}`) }
              : { status: 'fulfilled', value: `${name}!` },
        )
        const end = (settled: Settled | Error = done) => (settled instanceof Error ? reject(settled) : resolve(settled))
        groups.push({
          names,
          end: (...given) => (given.length === 0 ? end() : given[0] === undefined ? resolve(undefined) : end(given[0])),
        })
      }),
    alone: async ({ name, refuse }) => {
      alone.push(name)
      if (refuse) throw new Error(`no ${name} alone`)
      return `${name} alone`
    },
  })
  const add = (name: string, { key = 'org', subject = name, refuse = false } = {}) =>
    together.add(key, subject, { name, refuse })
  /** More turns of the event loop than are waited for when nothing comes. */
  const turns = async () => {
    for (let turn = 0; turn < 4; turn += 1) await new Promise((resolve) => setImmediate(resolve))
  }
  return { groups, alone, add, turns, names: () => groups.map((group) => group.names) }
}

describe('calls that wait together', () => {
  it('are those that come in the same turns, and those that come while a group is on its way', async () => {
    const { groups, add, turns, names } = scripted()
    const all = [add('a'), add('b')]
    await turns()
    all.push(add('c'), add('d'))
    await turns()
    expect(names()).toEqual([['a', 'b']])
    groups[0]?.end()
    await turns()
    expect(names()).toEqual([
      ['a', 'b'],
      ['c', 'd'],
    ])
    groups[1]?.end()
    expect(await Promise.all(all)).toEqual(['a!', 'b!', 'c!', 'd!'])
    void add('e')
    await turns()
    expect(names().at(-1)).toEqual(['e'])
  })

  it('start at once when they fill a group, and one more full group beside the first', async () => {
    const { groups, add, turns, names } = scripted(2)
    for (const name of ['a', 'b', 'c', 'd', 'e', 'f', 'g']) void add(name)
    expect(names()).toEqual([
      ['a', 'b'],
      ['c', 'd'],
    ])
    groups[0]?.end()
    await turns()
    expect(names().slice(2)).toEqual([['e', 'f']])
    groups[1]?.end()
    await turns()
    expect(names()).toHaveLength(3)
    groups[2]?.end()
    await turns()
    expect(names().at(-1)).toEqual(['g'])
  })

  it('are as many full groups at once as are allowed, and what is left over when all of them are done', async () => {
    const { groups, add, turns, names } = scripted(2, Number.POSITIVE_INFINITY)
    for (const name of ['a', 'b', 'c', 'd', 'e', 'f', 'g']) void add(name)
    expect(names()).toEqual([
      ['a', 'b'],
      ['c', 'd'],
      ['e', 'f'],
    ])
    for (const group of groups.slice(0, 3)) group.end()
    await turns()
    expect(names().at(-1)).toEqual(['g'])
  })

  it('keeps calls of one subject in different groups and in their order', async () => {
    const { groups, add, turns, names } = scripted()
    void add('a')
    await turns()
    for (const [name, subject] of [
      ['b1', 's'],
      ['b2', 's'],
      ['c', 't'],
    ] as const)
      void add(name, { subject })
    groups[0]?.end()
    await turns()
    expect(names().slice(1).flat()).toEqual(['b1', 'c'])
    groups[1]?.end()
    await turns()
    expect(names().at(-1)).toEqual(['b2'])
  })

  it('writes the calls of each key for themselves', async () => {
    const { add, turns, names } = scripted()
    void add('a', { key: 'one' })
    void add('b', { key: 'two' })
    await turns()
    expect(names()).toEqual([['a'], ['b']])
  })

  it('refuses one call and answers its neighbours', async () => {
    const { groups, add, turns } = scripted()
    const first = add('a')
    await turns()
    const rest = Promise.allSettled([add('b'), add('c', { refuse: true })])
    groups[0]?.end()
    await turns()
    groups[1]?.end()
    expect(await first).toBe('a!')
    expect(await rest).toMatchObject([{ value: 'b!' }, { reason: { message: 'no c' } }])
  })

  it('writes each alone when nothing was written of the group', async () => {
    const { groups, add, turns, alone } = scripted()
    void add('a')
    await turns()
    const rest = Promise.allSettled([add('b'), add('c', { refuse: true })])
    groups[0]?.end()
    await turns()
    groups[1]?.end(undefined)
    expect(await rest).toMatchObject([{ value: 'b alone' }, { reason: { message: 'no c alone' } }])
    expect(alone).toEqual(['b', 'c'])
  })

  it('writes alone what the group left out, and goes on with the next meanwhile', async () => {
    const { groups, add, turns, alone, names } = scripted()
    void add('a')
    await turns()
    const rest = Promise.all([add('b'), add('c')])
    groups[0]?.end()
    await turns()
    void add('d')
    groups[1]?.end([undefined, { status: 'fulfilled', value: 'c!' }])
    expect(await rest).toEqual(['b alone', 'c!'])
    await turns()
    expect(alone).toEqual(['b'])
    expect(names().at(-1)).toEqual(['d'])
  })

  it('refuses all when it cannot be known what was written, and goes on with the next', async () => {
    const { groups, add, turns, alone, names } = scripted()
    void add('a')
    await turns()
    const rest = Promise.allSettled([add('b'), add('c')])
    groups[0]?.end()
    await turns()
    groups[1]?.end(new Error('the commit failed'))
    expect(await rest).toMatchObject([{ reason: { message: 'the commit failed' } }, { status: 'rejected' }])
    expect(alone).toEqual([])
    void add('d')
    await turns()
    expect(names().at(-1)).toEqual(['d'])
  })
})
