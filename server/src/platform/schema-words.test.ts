import { describe, expect, it } from 'vitest'
import * as z from 'zod'
import { inWords, misfitsOf } from './schema-words.ts'

const said = (schema: z.ZodType, value: unknown): string[] => {
  const parsed = z.safeParse(schema, value, inWords)
  return parsed.success
    ? []
    : misfitsOf(parsed.error.issues).map(({ path, message }) => [path.join('.'), message].filter(Boolean).join(': '))
}
const kinds = z.enum(['session.ended', 'session.started'])
const anchored = z.object({
  anchor: z.union([z.object({ atMs: z.number() }), z.object({ momentId: z.string(), kind: z.string() })]),
})

describe('what does not fit', () => {
  it.each<[why: string, schema: z.ZodType, value: unknown, words: string]>([
    ['a name that is missing', z.object({ a: z.string() }), {}, 'a: is missing: it must be a text'],
    ['another kind', z.object({ a: z.string() }), { a: 5 }, 'a: must be a text, and is a number'],
    ['a list in the place of an object', z.object({}), [], 'must be an object, and is a list'],
    ['half a number', z.int(), 1.5, 'must be a whole number, and is a number'],
    ['null', z.boolean(), null, 'must be true or false, and is null'],
    ['an empty text', z.string().min(1), '', 'must not be empty'],
    ['a short text', z.string().min(3), 'a', 'must have at least 3 characters'],
    ['a long list', z.array(z.string()).max(1), ['a', 'b'], 'must have at most 1 item'],
    ['a text of another length', z.string().length(4), 'abc', 'must have exactly 4 characters'],
    ['a small number', z.number().min(1), 0, 'must be 1 or more'],
    ['a number that is just too small', z.number().gt(1), 1, 'must be more than 1'],
    ['a large number', z.number().max(9), 10, 'must be 9 or less'],
    [
      'a near name',
      kinds,
      'session.endet',
      'must be one of session.ended, session.started; did you mean session.ended?',
    ],
    ['a far name', kinds, 'x', 'must be one of session.ended, session.started'],
    ['no name', z.object({ a: kinds }), {}, 'a: is missing: it must be one of session.ended, session.started'],
    ['another constant', z.literal(5), 6, 'must be 5'],
    [
      'no instant',
      z.iso.datetime(),
      'now',
      'must be an instant in ISO 8601 with its zone, such as 2026-05-04T09:30:00Z',
    ],
    ['no address', z.url(), 'x', 'must be an address, such as https://example.org/path'],
    ['no match', z.string().regex(/^a$/), 'b', 'must match /^a$/'],
    ['another beginning', z.string().startsWith('org_'), 'b', 'must begin with "org_"'],
    ['a name too many', z.strictObject({}), { b: 1 }, 'must not have "b"'],
    ['own words', z.string().regex(/^a$/, 'must be an a'), 'b', 'must be an a'],
    ['none of several kinds', z.union([z.string(), z.number()]), true, 'must be a text, or a number'],
    [
      'a name of a map',
      z.record(z.string().startsWith('a'), z.number()),
      { x: 1 },
      'x: has a name that does not fit: must begin with "a"',
    ],
  ])('%s', (_why, schema, value, words) => {
    expect(said(schema, value)[0]).toBe(words)
    for (const one of said(schema, value)) expect(one).not.toMatch(/Invalid|expected|received|\0/)
  })

  it('of several forms is told of the one that was most likely meant', () => {
    expect(said(anchored, { anchor: { at: 5 } })).toEqual(['anchor.atMs: is missing: it must be a number'])
    const either = z.discriminatedUnion('provider', [
      z.object({ provider: z.literal('slack') }),
      z.object({ provider: z.literal('teams') }),
    ])
    expect(said(either, { provider: 'slak' })).toEqual(['provider: must be one of slack, teams; did you mean slack?'])
    expect(said(either, {})).toEqual(['provider: is missing: it must be one of slack, teams'])
  })

  it('of ten thousand is told a hundred times', () => {
    expect(said(z.array(z.string()), Array(10_000).fill(0))).toHaveLength(100)
  })
})
