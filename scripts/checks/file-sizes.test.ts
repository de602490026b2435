import { describe, expect, it } from 'vitest'
import { fileSizes, readmeLength } from './file-sizes.ts'

const file = (path: string, lines: number) => ({ path, text: 'x\n'.repeat(lines) })
const files = (count: number, lines: number) =>
  Array.from({ length: count }, (_, n) => file(`a/${lines}-${n}.ts`, lines))

describe('fileSizes', () => {
  it('accepts a tree at every limit', () => {
    expect(fileSizes.find([...files(5, 80), ...files(4, 200), file('last.ts', 400)])).toEqual([])
  })

  it('names a file of src of 301 lines, and beside src, and of tests, one of 401', () => {
    const found = (path: string, lines: number) =>
      fileSizes.find([...files(20, 10), file(path, lines)]).map((finding) => finding.path)
    expect(found('p/src/big.tsx', 300)).toEqual([])
    expect(found('p/src/big.tsx', 301)).toEqual(['p/src/big.tsx'])
    for (const path of ['p/src/big.test.ts', 'scripts/big.ts']) {
      expect(found(path, 400)).toEqual([])
      expect(found(path, 401)).toEqual([path])
    }
  })

  it('finds a median above 80 lines', () => {
    const findings = fileSizes.find([...files(4, 80), ...files(5, 81)])
    expect(findings.map(({ message }) => message)).toEqual([expect.stringContaining('within 80 lines')])
  })

  it('finds more than a tenth above 200 lines', () => {
    const findings = fileSizes.find([...files(8, 10), ...files(2, 201)])
    expect(findings.map(({ message }) => message)).toEqual([expect.stringContaining('within 200 lines')])
  })

  it('holds tests to it as well', () => {
    expect(fileSizes.find([...files(20, 10), file('a.test.ts', 401)]).map(({ path }) => path)).toEqual(['a.test.ts'])
  })

  it('leaves generated files, vectors and migrations alone', () => {
    const exempt = ['p/generated/a.ts', 'p/vectors/a.ts', 'server/src/migrations/a.ts']
    expect(fileSizes.find(exempt.map((path) => file(path, 1000)))).toEqual([])
  })
})

describe('readmeLength', () => {
  it('finds a README that is missing or has 121 lines', () => {
    expect(readmeLength.find([])).toHaveLength(1)
    expect(readmeLength.find([file('README.md', 121)])).toHaveLength(1)
    expect(readmeLength.find([file('README.md', 120)])).toEqual([])
  })
})
