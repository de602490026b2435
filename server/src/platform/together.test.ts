import { describe, expect, it } from 'vitest'
import { Together } from './together.ts'

interface Call {
  readonly name: string
  readonly refuse?: boolean
}
type Settled = readonly (PromiseSettledResult<string> | undefined)[] | undefined

/** Groups that end when they are told to. */
const scripted = (limit = 3) => {
  const groups: { names: string[]; end: (settled?: Settled | Error) => void }[] = []
  const alone: string[] = []
  const together = new Together<Call, string>({
    limit,
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
  const nextTurn = () => new Promise<void>((resolve) => setImmediate(resolve))
  return { groups, alone, add, nextTurn, names: () => groups.map((group) => group.names) }
}

describe('calls that wait together', () => {
  it('lets a single call wait for nobody, and writes what came meanwhile as one group', async () => {
    const { groups, add, nextTurn, names } = scripted()
    const all = [add('a'), add('b'), add('c')]
    expect(names()).toEqual([['a']])
    groups[0]?.end()
    await nextTurn()
    expect(names()).toEqual([['a'], ['b', 'c']])
    groups[1]?.end()
    expect(await Promise.all(all)).toEqual(['a!', 'b!', 'c!'])
    void add('d')
    expect(names().at(-1)).toEqual(['d'])
  })

  it('starts one more group beside the first only when it is full', async () => {
    const { groups, add, nextTurn, names } = scripted(2)
    for (const name of ['a', 'b', 'c', 'd', 'e', 'f']) void add(name)
    expect(names()).toEqual([['a'], ['b', 'c']])
    groups[0]?.end()
    await nextTurn()
    expect(names()).toEqual([['a'], ['b', 'c'], ['d', 'e']])
    groups[1]?.end()
    await nextTurn()
    expect(names()).toHaveLength(3)
    groups[2]?.end()
    await nextTurn()
    expect(names().at(-1)).toEqual(['f'])
  })

  it('keeps calls of one subject in different groups and in their order', async () => {
    const { groups, add, nextTurn, names } = scripted()
    void add('a')
    for (const [name, subject] of [
      ['b1', 's'],
      ['b2', 's'],
      ['c', 't'],
    ] as const)
      void add(name, { subject })
    // Three wait, but not three subjects: the group is not full, and starts all the same.
    groups[0]?.end()
    await nextTurn()
    expect(names().slice(1).flat()).toEqual(['b1', 'c'])
    groups[1]?.end()
    await nextTurn()
    expect(names().at(-1)).toEqual(['b2'])
  })

  it('writes the calls of each key for themselves', () => {
    const { add, names } = scripted()
    void add('a', { key: 'one' })
    void add('b', { key: 'two' })
    expect(names()).toEqual([['a'], ['b']])
  })

  it('refuses one call and answers its neighbours', async () => {
    const { groups, add, nextTurn } = scripted()
    const first = add('a')
    const rest = Promise.allSettled([add('b'), add('c', { refuse: true })])
    groups[0]?.end()
    await nextTurn()
    groups[1]?.end()
    expect(await first).toBe('a!')
    expect(await rest).toMatchObject([{ value: 'b!' }, { reason: { message: 'no c' } }])
  })

  it('writes each alone when nothing was written of the group', async () => {
    const { groups, add, nextTurn, alone } = scripted()
    void add('a')
    const rest = Promise.allSettled([add('b'), add('c', { refuse: true })])
    groups[0]?.end()
    await nextTurn()
    groups[1]?.end(undefined)
    expect(await rest).toMatchObject([{ value: 'b alone' }, { reason: { message: 'no c alone' } }])
    expect(alone).toEqual(['b', 'c'])
  })

  it('writes alone what the group left out, and goes on with the next meanwhile', async () => {
    const { groups, add, nextTurn, alone, names } = scripted()
    void add('a')
    const rest = Promise.all([add('b'), add('c')])
    groups[0]?.end()
    await nextTurn()
    void add('d')
    groups[1]?.end([undefined, { status: 'fulfilled', value: 'c!' }])
    expect(await rest).toEqual(['b alone', 'c!'])
    expect(alone).toEqual(['b'])
    expect(names().at(-1)).toEqual(['d'])
  })

  it('refuses all when it cannot be known what was written, and goes on with the next', async () => {
    const { groups, add, nextTurn, alone, names } = scripted()
    void add('a')
    const rest = Promise.allSettled([add('b'), add('c')])
    groups[0]?.end()
    await nextTurn()
    groups[1]?.end(new Error('the commit failed'))
    expect(await rest).toMatchObject([{ reason: { message: 'the commit failed' } }, { status: 'rejected' }])
    expect(alone).toEqual([])
    void add('d')
    await nextTurn()
    expect(names().at(-1)).toEqual(['d'])
  })
})
