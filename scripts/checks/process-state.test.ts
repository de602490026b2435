import { describe, expect, it } from 'vitest'
import { stateIsListed, stateList, stateOf } from './process-state.ts'

const line = (where: string, owner: string) => `| \`${where}\` ${owner} | own | of what this process does |`
const find = (list: string, files: Record<string, string>) =>
  stateIsListed
    .find([{ path: stateList, text: list }, ...Object.entries(files).map(([path, text]) => ({ path, text }))])
    .map(({ message }) => message)

describe('stateOf', () => {
  it('finds what a module, a class and a maker keep', () => {
    expect(stateOf('let used = 0')).toEqual(['module'])
    expect(stateOf('const known = new WeakMap<Buffer, string>()')).toEqual(['module'])
    expect(stateOf('export class Held {\n  readonly #held = new Map<string, () => void>()\n}')).toEqual(['Held'])
    expect(stateOf('class Held {\n  constructor() {\n    this.#kept = new Cache({ limit: 1 })\n  }\n}')).toEqual([
      'Held',
    ])
    expect(stateOf('export const createHub = () => {\n  const open = new Set<object>()\n}')).toEqual(['createHub'])
    expect(stateOf('export const createHub = () => {\n  let closing = false\n}')).toEqual(['createHub'])
    expect(stateOf('const openParts = () => ({\n    keys: new Set(),\n})')).toEqual(['openParts'])
    expect(stateOf("declare module '../../kernel/parts.ts' {\n}")).toEqual(['part'])
  })

  it('finds what any function keeps for the functions that it gives out', () => {
    expect(
      stateOf('const noise = (seed: number) => {\n  let state = seed\n  return () => {\n    state += 1\n  }\n}'),
    ).toEqual(['noise'])
    expect(
      stateOf(
        'const pins = () => {\n  const made = new Set<string>()\n  return {\n    has: (name: string) => made.has(name),\n  }\n}',
      ),
    ).toEqual(['pins'])
    expect(
      stateOf(
        'const turns = () => {\n  const waiting: number[] = []\n  const next = () => waiting.shift()\n  return { next }\n}',
      ),
    ).toEqual(['turns'])
    expect(
      stateOf('function tally() {\n  let n = 0\n  return {\n    get size() {\n      return n\n    },\n  }\n}'),
    ).toEqual(['tally'])
  })

  it('leaves constants and what ends with a call', () => {
    expect(stateOf("const codes = new Set(['a'])")).toEqual([])
    expect(stateOf('const sums = (rows) => {\n  const found = new Map<string, number>()\n}')).toEqual([])
    expect(
      stateOf('const sums = (rows) => {\n  let sum = 0\n  return { sum, rows: rows.map((row) => row.n) }\n}'),
    ).toEqual([])
  })
})

describe('stateIsListed', () => {
  it('fails for state without a line, and for a line without state', () => {
    const files = { 'server/src/a.ts': 'let used = 0' }
    expect(find('', files)).toEqual(['a.ts module keeps state and has no line in docs/scaling.md'])
    expect(find(line('a.ts', 'module'), files)).toEqual([])
    expect(find(line('a.ts', 'module'), {})).toEqual(['the line of a.ts module is stale: nothing there keeps state'])
  })

  it('does not look at tests and other programs', () => {
    expect(find('', { 'server/src/a.test.ts': 'let n = 0', 'agent/src/a.ts': 'let n = 0' })).toEqual([])
  })
})
