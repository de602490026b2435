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
