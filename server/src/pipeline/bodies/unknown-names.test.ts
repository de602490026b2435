import { sessionCreate, sessionListFilters } from '@integrity/protocol'
import { describe, expect, it } from 'vitest'
import * as z from 'zod'
import { unknownNames } from './unknown-names.ts'

const meant = (known: string, given: string): string | undefined =>
  /did you mean (.+)\?$/.exec(
    unknownNames(z.object({ [known]: z.string(), other: z.string() }), { [given]: 1 })[0]!.message,
  )?.[1]

describe('unknownNames', () => {
  it('finds none in what is declared', () => {
    expect(unknownNames(sessionCreate, {})).toEqual([])
    const body = {
      externalId: 'a',
      config: { retentionDays: 7, sideView: { enabled: true } },
      schedule: { timeZone: 'UTC' },
    }
    expect(unknownNames(sessionCreate, body)).toEqual([])
  })

  it('finds each at any depth, with its path and what was likely meant', () => {
    const config = { retentionDay: 7, audio: { microfone: false }, side_view: {} }
    expect(unknownNames(sessionCreate, { config, candidatelabel: 'x' })).toEqual([
      { path: 'config.retentionDay', message: 'is not known here; did you mean retentionDays?' },
      { path: 'config.audio.microfone', message: 'is not known here; did you mean microphone?' },
      { path: 'config.side_view', message: 'is not known here; did you mean sideView?' },
      { path: 'candidatelabel', message: 'is not known here; did you mean candidateLabel?' },
    ])
    expect(unknownNames(z.object(sessionListFilters), { status: 'ended' })).toEqual([
      { path: 'status', message: 'is not known here; did you mean state?' },
    ])
  })

  it('lists what is known where nothing is near, and says so where nothing is', () => {
    expect(unknownNames(z.object({ a: z.string(), b: z.string() }), { policy: 1 })[0]?.message).toBe(
      'is not known; known here: a, b',
    )
    expect(unknownNames(z.object({}), { policy: 1 })[0]?.message).toBe('is not known here, where nothing is asked for')
  })

  it.each([
    ['externalId', 'external_id'],
    ['retentionDays', 'RetentionDays'],
    ['limit', 'limti'],
    ['state', 'sate'],
    ['scenario', 'scenarios'],
  ])('takes %s for what was meant by %s', (known, given) => {
    expect(meant(known, given)).toBe(known)
  })

  it.each([
    ['limit', 'cursor'],
    ['state', 'q'],
  ])('does not take %s for what was meant by %s', (known, given) => {
    expect(meant(known, given)).toBeUndefined()
  })

  it('looks into lists, records, unions and what only fills in, and lets free JSON be free', () => {
    const leaf = z.object({ n: z.number() })
    const schema = z.object({
      list: z.array(leaf).optional(),
      record: z.record(z.string(), leaf).default({}),
      either: z.union([leaf, z.object({ kind: z.string() }), z.null()]).nullable(),
      free: z.looseObject({ inside: leaf.optional() }),
      piped: leaf.transform(({ n }) => n),
      checked: leaf.refine(() => true).prefault({ n: 1 }),
    })
    const value = {
      list: [{ n: 1 }, { n: 1, x: 1 }],
      record: { any: { x: 1 } },
      either: { n: 1, kind: 'a', x: 1 },
      free: { anything: 1, inside: { x: 1 } },
      piped: { x: 1 },
      checked: { x: 1 },
    }
    expect(unknownNames(schema, value).map(({ path }) => path)).toEqual([
      'list.1.x',
      'record.any.x',
      'either.x',
      'free.inside.x',
      'piped.x',
      'checked.x',
    ])
  })

  it('leaves what has another type than declared to those who check types', () => {
    for (const value of [null, 'text', 5, [], [{ x: 1 }]]) expect(unknownNames(z.object({}), value)).toEqual([])
  })

  it('is not told by a prototype what is known', () => {
    const names = JSON.parse('{"__proto__":1,"constructor":1,"toString":1}') as unknown
    expect(unknownNames(z.object({ a: z.string() }), names)).toHaveLength(3)
  })

  it('tells at most 100, and repeats no long name whole', () => {
    const many = Object.fromEntries(Array.from({ length: 5000 }, (_name, at) => [`name${at}`, 1]))
    expect(unknownNames(z.object({ a: z.string() }), many)).toHaveLength(100)
    expect(unknownNames(z.object({}), { ['x'.repeat(10_000)]: 1 })[0]?.path).toHaveLength(64)
  })
})
