import { globSync, readFileSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { describe, expect, it } from 'vitest'
import { mutate, readMutations } from './mutation-list.ts'

const list = `# words
@ a/b.ts < a/b.test.ts a/c.test.ts
- x > 1
+ x >= 1

- first
-   second
+

@ d.ts < d.test.ts
- e
+ f
+ g
- h
+ i
`

const root = resolve(import.meta.dirname, '../..')
const textOf = (path: string): string => readFileSync(join(root, path), 'utf8')

describe('the lists that are here', () => {
  const mutations = globSync('scripts/mutate/*.txt', { cwd: root }).flatMap((path) => readMutations(textOf(path)))

  it('name files and tests that are there', () => {
    const named = mutations.flatMap(({ file, tests }) => [file, ...tests])
    expect(named.filter((path) => globSync(`${path}*`, { cwd: root }).length === 0)).toEqual([])
  })

  it('change a text that stands once in its file', () => {
    const stale = mutations.filter((mutation) => mutate(textOf(mutation.file), mutation) === undefined)
    expect(stale.map(({ file, find }) => `${file}: ${find}`)).toEqual([])
  })

  it('change every pragma that a database is opened with', () => {
    const sources = globSync(['server/src/**/*.ts', 'agent/src/**/*.ts'], { cwd: root }).filter(
      (path) => !/\.test/.test(path),
    )
    const pragmas = sources.flatMap((file) =>
      [...textOf(file).matchAll(/\.pragma\(['`]\w+ = [^)]*\)/g)].map(([text]) => ({ file, text })),
    )
    expect(pragmas.length).toBeGreaterThan(15)
    const changed = ({ file, text }: { file: string; text: string }) =>
      mutations.some((mutation) => mutation.file === file && mutation.find.includes(text))
    // What they would be without it is as safe: scripts/mutate/pragmas.txt.
    const asSafe = [
      'server/src/platform/db/sqlite/sqlite-checkpoint.worker.ts',
      'server/src/platform/db/sqlite/sqlite.snapshot.ts',
    ]
    const left = pragmas.filter(
      (one) => !changed(one) && !(asSafe.includes(one.file) && one.text.includes('synchronous')),
    )
    expect(left).toEqual([])
  })
})

describe('a list of mutations', () => {
  it('is read with the files, the tests and the lines of each', () => {
    const tests = ['a/b.test.ts', 'a/c.test.ts']
    expect(readMutations(list)).toEqual([
      { line: 3, file: 'a/b.ts', tests, find: 'x > 1', put: 'x >= 1' },
      { line: 6, file: 'a/b.ts', tests, find: 'first\n  second', put: '' },
      { line: 11, file: 'd.ts', tests: ['d.test.ts'], find: 'e', put: 'f\ng' },
      { line: 14, file: 'd.ts', tests: ['d.test.ts'], find: 'h', put: 'i' },
    ])
  })

  it('is refused with a line that is none of it', () => {
    expect(() => readMutations('@ a < b\nx')).toThrow('line 2')
    expect(() => readMutations('- a\n+ b')).toThrow('line 1')
  })

  it('changes what stands once, and nothing else', () => {
    expect(mutate('if (a && b)', { find: '&&', put: '||' })).toBe('if (a || b)')
    expect(mutate('a a', { find: 'a', put: 'b' })).toBeUndefined()
    expect(mutate('a', { find: 'b', put: '' })).toBeUndefined()
    expect(mutate('a', { find: '', put: 'b' })).toBeUndefined()
    expect(mutate('$', { find: '$', put: "$&$'" })).toBe("$&$'")
  })
})
