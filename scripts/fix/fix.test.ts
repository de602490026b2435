import { describe, expect, it } from 'vitest'
import { arrowFunctions } from './arrow-functions.ts'
import { camelConstants } from './camel-constants.ts'

const arrow = (text: string) => arrowFunctions('a.ts', text)

describe('arrowFunctions', () => {
  it.each([
    [
      'export async function f<T>(a: T): Promise<T> {\n  await a\n}',
      'export const f = async <T>(a: T): Promise<T> => {\n  await a\n}',
    ],
    ['function f() {\n  return 1\n}', 'const f = () => 1'],
    ['function f() {\n  return { a: 1 }\n}', 'const f = () => ({ a: 1 })'],
    ['function f() {\n  // why\n  return 1\n}', 'const f = () => {\n  // why\n  return 1\n}'],
    ['const g = () => {\n  function f() {}\n  f()\n}', 'const g = () => {\n  const f = () => {}\n  f()\n}'],
    ['function f() {\n  function g() {}\n  g()\n}', 'const f = () => {\n  const g = () => {}\n  g()\n}'],
  ])('writes %j as one', (before, after) => {
    expect(arrow(before)).toBe(after)
  })

  it('keeps <T> from being an element', () => {
    expect(arrowFunctions('a.tsx', 'function f<T>(a: T) {\n  a\n}')).toBe('const f = <T,>(a: T) => {\n  a\n}')
  })

  it.each([
    ['a generator', 'function* f() {}'],
    ['overloads', 'function f(a: 1): 1\nfunction f(a: 2): 2\nfunction f(a: unknown) {\n  return a\n}'],
    ['an assertion', 'function f(a: unknown): asserts a is 1 {}'],
    ['one with its own this', 'function f(this: Date) {\n  return this.getTime()\n}'],
    ['one that runs before its line', 'const a = f()\nfunction f() {\n  return 1\n}'],
    [
      'one that another runs before its line',
      'const g = () => f()\nconst a = [1].map(() => g())\nfunction f() {\n  return 1\n}',
    ],
    ['one before a line that would go on with it', 'function f() {}\n[1].map(f)'],
  ])('leaves %s', (_what, text) => {
    expect(arrow(text)).toBe(text)
  })

  it('takes one that is only kept for later before its line', () => {
    const before = "const a = { b: () => f() }\nit('c', () => f())\n"
    expect(arrow(`${before}function f() {\n  a\n}`)).toBe(`${before}const f = () => {\n  a\n}`)
  })
})

const rename = (tree: Record<string, string>, folder = 'a/') => {
  const files = Object.entries(tree).map(([path, text]) => ({ path, text }))
  const { files: changed, taken } = camelConstants(files, (path) => path.startsWith(folder))
  return { ...Object.fromEntries(changed.map(({ path, text }) => [path, text])), taken }
}

describe('camelConstants', () => {
  it('renames a constant where it is declared and used, and no property or string of its name', () => {
    const before =
      "const MOST_TRIES = 3\nconst x = { MOST_TRIES, y: process.env.MOST_TRIES, MOST_TRIES: 'MOST_TRIES' }\n"
    const after =
      "const mostTries = 3\nconst x = { MOST_TRIES: mostTries, y: process.env.MOST_TRIES, MOST_TRIES: 'MOST_TRIES' }\n"
    expect(rename({ 'a/b.ts': before })).toEqual({ 'a/b.ts': after, taken: [] })
  })

  it('follows it to whoever imports it, also from another file, and renames nobody else’s', () => {
    expect(
      rename({
        'a/b.ts': 'export const TRIES = 3\n',
        'a/index.ts': "export { TRIES } from './b.ts'\n",
        'c/d.ts': "import { TRIES } from '../a/index.ts'\nfor (const x of [TRIES]) x\n",
        'c/own.ts': 'const TRIES = 4\n',
      }),
    ).toEqual({
      'a/b.ts': 'export const tries = 3\n',
      'a/index.ts': "export { tries } from './b.ts'\n",
      'c/d.ts': "import { tries } from '../a/index.ts'\nfor (const x of [tries]) x\n",
      taken: [],
    })
  })

  it('leaves a name whose camelCase is taken, and says so', () => {
    expect(rename({ 'a/b.ts': 'const PART = 3\nconst part = PART\n' })).toEqual({ taken: ['a/b.ts: PART'] })
    expect(rename({ 'a/b.ts': 'const NEW = 3\n' })).toEqual({ taken: ['a/b.ts: NEW'] })
  })
})
