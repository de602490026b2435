import { type CredentialKind, type EndpointSpec, endpoint, ServiceError } from '@integrity/protocol'
import { describe, expect, it } from 'vitest'
import * as z from 'zod'
import { withoutHalves } from '../../platform/surrogates.ts'
import { checkAnswer, checkInput, readQuery } from './validate.ts'

const spec = (fields: Partial<EndpointSpec>): EndpointSpec => ({
  ...(endpoint('sessions.get') as EndpointSpec),
  ...fields,
})
const received = (value: unknown) => ({ value, bytes: undefined, hash: () => '' })
const detailsOf = (work: () => unknown) => {
  try {
    work()
  } catch (error) {
    if (error instanceof ServiceError) return error.details
    throw error
  }
  return expect.fail('was not refused')
}

describe('readQuery', () => {
  it('reads names and values, decoded', () => {
    expect(readQuery('a=1&b=x%20y&c=&d=p?q=r')).toEqual({ a: '1', b: 'x y', c: '', d: 'p?q=r' })
    expect(readQuery('')).toEqual({})
  })

  it('refuses a repeated name, but not one that objects happen to have', () => {
    expect(detailsOf(() => readQuery('a=1&a=1'))).toEqual([{ path: 'a', message: 'is given more than once' }])
    expect(readQuery('toString=1&constructor=2')).toEqual({ toString: '1', constructor: '2' })
  })

  it('refuses U+0000', () => {
    expect(detailsOf(() => readQuery('a=%00'))).toMatchObject([{ path: 'a' }])
  })
})

describe('a query', () => {
  it('that is not UTF-8 is refused, and what is passes', () => {
    for (const search of ['a=%ff', 'a=%ED%A0%80', 'a=x%C3'])
      expect(detailsOf(() => readQuery(search))).toEqual([{ path: '', message: 'the query is not UTF-8' }])
    expect(readQuery('a=%C3%A9&b=100%&c=%F0%9F%98%80')).toEqual({ a: 'é', b: '100%', c: '\u{1f600}' })
  })

  it('whose time zone lost its plus sign is told so', () => {
    const timed = { ...spec({}), body: undefined, query: z.object({ from: z.iso.datetime({ offset: true }) }) }
    const asked = readQuery('from=2026-11-27T00:00:00+00:00')
    const [problem] = detailsOf(() => checkInput(timed, 'api_key', { id: 'a' }, asked, received({})))
    expect(problem?.path).toBe('from')
    expect(problem?.message).toContain('%2B')
  })
})

describe('half a surrogate pair in a body', () => {
  const value = withoutHalves({ name: 'cut \ud83d' })
  const taken = { ...spec({}), body: z.object({ name: z.string() }), query: z.object({}) }
  const check = (caller: 'agent' | 'api_key' | 'user') => checkInput(taken, caller, { id: 'a' }, {}, received(value))

  it('is refused with its path, but from devices, whose batches must not fail for it', () => {
    for (const caller of ['api_key', 'user'] as const)
      expect(detailsOf(() => check(caller))).toMatchObject([{ path: 'name' }])
    expect(check('agent').body).toEqual({ name: 'cut \ufffd' })
  })
})

describe('checkInput', () => {
  const declared = spec({
    query: z.object({ limit: z.coerce.number().max(10) }),
    body: z.object({ a: z.object({ b: z.array(z.object({ c: z.string() })) }), n: z.number() }),
  })

  it('lists every problem of path, query and body with its place', () => {
    const body = { a: { b: [{ c: 'x' }, { c: 1 }] }, n: 'x' }
    const details = detailsOf(() =>
      checkInput(declared, 'api_key', { id: 'x'.repeat(129) }, { limit: '11' }, received(body)),
    )
    expect(details.map((detail) => detail.path)).toEqual(['id', 'limit', 'a.b.1.c', 'n'])
  })

  it('names the first problem and counts the others in its message', () => {
    expect(() => checkInput(declared, 'api_key', { id: 'a' }, { limit: '11' }, received({}))).toThrow(
      /^limit: .* \(and 2 more\)$/,
    )
  })

  it('names at most 100 problems', () => {
    const body = { a: { b: Array.from({ length: 300 }, () => ({})) }, n: 1 }
    expect(detailsOf(() => checkInput(declared, 'api_key', { id: 'a' }, { limit: '1' }, received(body))).length).toBe(
      100,
    )
  })

  it('reads numbers of a query in decimal digits only, and names each wrong one once', () => {
    const paged = spec({
      query: z.object({ limit: z.coerce.number().max(10).default(5), x: z.coerce.number().optional() }),
    })
    const read = (query: Record<string, string>) => checkInput(paged, 'api_key', { id: 'a' }, query, received({})).query
    expect(read({ limit: '7', x: '-1.5' })).toEqual({ limit: 7, x: -1.5 })
    expect(read({})).toEqual({ limit: 5 })
    for (const limit of ['', ' 1', '1e0', '0x1', '1.', '.5', '+1', '１', 'Infinity', '1\n'])
      expect(
        detailsOf(() => read({ limit, x: 'y' })),
        limit,
      ).toEqual([
        { path: 'limit', message: 'must be a number in decimal digits' },
        { path: 'x', message: 'must be a number in decimal digits' },
      ])
  })

  describe('of fields and query names that nobody declared', () => {
    const body = { a: { b: [], x: 1 }, n: 1, y: 2 }
    const check = (caller: CredentialKind, fields: Partial<EndpointSpec> = {}) =>
      checkInput({ ...declared, ...fields }, caller, { id: 'a' }, { limit: '1', z: '2' }, received(body))

    it.each(['api_key', 'user', 'account', 'refresh', 'download', 'anonymous'] as const)('tells %s', (caller) => {
      expect(detailsOf(() => check(caller)).map(({ path }) => path)).toEqual(['z', 'a.x', 'y'])
    })

    it.each(['agent', 'companion', 'room', 'link'] as const)(
      'says nothing to %s, who may be of another version',
      (caller) => {
        expect(check(caller)).toMatchObject({ query: { limit: 1 }, body: { a: { b: [] }, n: 1 } })
      },
    )

    it('says nothing where installed programs call without a credential', () => {
      expect(check('anonymous', { ignoresUnknown: true })).toMatchObject({ query: { limit: 1 } })
    })

    it('tells of a query where none is declared', () => {
      const { query: _query, body: _body, ...bare } = declared
      expect(detailsOf(() => checkInput(bare, 'api_key', { id: 'a' }, { state: 'ended' }, received({})))).toEqual([
        { path: 'state', message: 'is not known here, where nothing is asked for' },
      ])
    })
  })
})

describe('checkAnswer', () => {
  const answers = spec({ response: z.object({ id: z.string(), list: z.array(z.object({ n: z.number() })) }) })
  const good = { id: 'a', list: [{ n: 1 }] }

  it('takes what is declared', () => {
    for (const strictness of ['strict', 'declared', 'sampled'] as const) checkAnswer(answers, good, strictness)
  })

  it('refuses a wrong type with its path', () => {
    const bad = { id: 'a', list: [{ n: 'x' }] }
    for (const strictness of ['strict', 'declared', 'sampled'] as const)
      expect(() => checkAnswer(answers, bad, strictness)).toThrow('list.0.n')
  })

  it('looks at the first hundred answers and at every fiftieth after them where it samples', () => {
    const busy = spec({ ...answers })
    const refused = Array.from({ length: 200 }, (_answer, count) => {
      try {
        checkAnswer(busy, { id: 1 }, 'sampled')
        return -1
      } catch {
        return count
      }
    }).filter((count) => count >= 0)
    expect(refused).toEqual([...Array.from({ length: 100 }, (_count, n) => n), 100, 150])
  })

  it('refuses an undeclared field where it is strict', () => {
    const more = { id: 'a', list: [{ n: 1, secret: 2 }] }
    expect(() => checkAnswer(answers, more, 'strict')).toThrow('data.list.0.secret')
    checkAnswer(answers, more, 'declared')
    checkAnswer(answers, { ...good, absent: undefined }, 'strict')
  })

  it('leaves bytes and streams alone', () => {
    for (const kind of ['bytes', 'sse'] as const) checkAnswer(spec({ ...answers, kind }), 5, 'strict')
  })
})
