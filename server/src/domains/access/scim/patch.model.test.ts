import { maxScimMembers, maxScimOperations, scimPatch } from '@integrity/protocol'
import { describe, expect, it } from 'vitest'
import { timesAsCostly } from '../../../platform/work-ratio.test-support.ts'
import { patched } from './patch.model.ts'
import type { PatchOperation } from './patch.work.model.ts'

const numbers = (n: number, from = 0) => Array.from({ length: n }, (_, k) => from + k)
const members = (n: number, from = 0) => numbers(n, from).map((value) => ({ value: `usr_${value}` }))
const group = (n: number) => ({ displayName: 'Group', externalId: null, members: members(n) })
const valuesOf = (resource: Readonly<Record<string, unknown>>) =>
  (resource['members'] as { value: string }[]).map(({ value }) => value)

describe('what a PATCH costs', () => {
  const costs = (operations: (n: number) => PatchOperation[], resource: (n: number) => Record<string, unknown>) =>
    timesAsCostly(
      () => patched(resource(8000), operations(8000)),
      () => patched(resource(200), operations(200)),
      40,
    )

  it('grows with what it adds, not with its square', () => {
    const twoLists = (n: number): PatchOperation[] => [
      { op: 'replace', path: 'emails', value: numbers(n) },
      { op: 'add', path: 'emails', value: numbers(n, 1e6) },
    ]
    expect(costs(twoLists, () => ({}))).toBeLessThan(10)
  })

  it('grows with what it removes by values, not with its square', () => {
    const remove = (n: number): PatchOperation[] => [{ op: 'remove', path: 'members', value: members(n, 1e6) }]
    expect(costs(remove, group)).toBeLessThan(10)
  })

  it('grows with the elements that a filter changes, not with their square', () => {
    const change = (): PatchOperation[] => [{ op: 'add', path: 'members[value pr].display', value: 'x' }]
    expect(costs(change, group)).toBeLessThan(10)
  })

  it('grows with the fields that it sets one by one, not with their square', () => {
    const paths =
      (prefix: string) =>
      (n: number): PatchOperation[] =>
        numbers(n).map((k) => ({ op: 'add', path: `${prefix}a${k}`, value: k }))
    for (const prefix of ['name.', 'urn:ietf:params:scim:schemas:extension:enterprise:2.0:User:'])
      expect(
        costs(paths(prefix), () => ({})),
        prefix,
      ).toBeLessThan(10)
  })

  it('is refused where many operations walk many elements', () => {
    const toAndFro = numbers(maxScimOperations).map((n) =>
      n % 2
        ? { op: 'add', path: 'members', value: [{ value: 'usr_1' }] }
        : { op: 'remove', path: 'members[display eq "x"]' },
    )
    expect(() => patched(group(maxScimMembers), toAndFro)).toThrow('cost too much together')
    expect(valuesOf(patched(group(500), toAndFro))).toHaveLength(500)
  })

  it('holds no element that is more than its known fields', () => {
    for (const value of [[[1, 2]], [{ value: { a: 1 } }], [{ value: 'x'.repeat(1001) }]])
      expect(() => patched({}, [{ op: 'add', path: 'emails', value }])).toThrow('must be a text')
    const wide = Object.fromEntries(numbers(1000).map((n) => [`a${n}`, n]))
    expect(patched({}, [{ op: 'add', path: 'emails', value: [{ value: 'a@example.org', ...wide }] }])).toEqual({
      emails: [{ value: 'a@example.org' }],
    })
  })
})

describe('the largest lawful PATCH', () => {
  const one = (n: number) => ({ op: 'Add', path: 'members', value: [{ value: `usr_${n}` }] })
  const gone = (n: number) => ({ op: 'Remove', path: `members[value eq "usr_${n}"]` })

  it('adds or removes members one by one in a group of any size', () => {
    const added = patched(group(maxScimMembers - maxScimOperations), numbers(maxScimOperations, 1e6).map(one))
    expect(valuesOf(added)).toHaveLength(maxScimMembers)
    const removed = patched(group(maxScimMembers), numbers(maxScimOperations).map(gone))
    expect(valuesOf(removed)).toEqual(
      members(maxScimMembers)
        .slice(maxScimOperations)
        .map(({ value }) => value),
    )
  })

  it('keeps the order of adding and removing', () => {
    expect(valuesOf(patched(group(0), [one(1), one(2), gone(1), gone(2), one(1)]))).toEqual(['usr_1'])
  })

  const taken = (operations: unknown) => scimPatch.safeParse({ Operations: operations }).success
  it('is bounded before it is looked at', () => {
    expect(taken([{ op: 'add', path: 'members', value: members(maxScimMembers) }])).toBe(true)
    expect(taken([{ op: 'add', value: { members: members(maxScimMembers) } }])).toBe(true)
    const half = { op: 'add', path: 'emails', value: numbers(8000) }
    expect(taken([half, half])).toBe(false)
    expect(taken([{ op: 'add', value: { a: numbers(8000), b: numbers(8000) } }])).toBe(false)
    expect(taken([{ op: 'add', value: Object.fromEntries(numbers(201).map((n) => [`a${n}`, n])) }])).toBe(false)
  })
})
