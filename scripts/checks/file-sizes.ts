import { type Finding, isCode, isTest, linesOf, type SourceFile, type StructureCheck } from './source-tree.ts'

/** Lines for each file. Small files are what keeps a tree of this size readable; no single one may grow without end. */
const limits = { median: 80, ninetieth: 200, longest: 300, longestTest: 400 }

const longestOf = (path: string) => (/(?:^|\/)src\//.test(path) && !isTest(path) ? limits.longest : limits.longestTest)

const exempt = (path: string) => /(?:^|\/)(?:generated|vectors|migrations)\//.test(path)

export const fileSizes: StructureCheck = {
  name: `source files stay small: half within ${limits.median} lines, nine in ten within ${limits.ninetieth}, all of src within ${limits.longest}, tests and scripts within ${limits.longestTest}`,
  find(files) {
    const measured = files
      .filter(({ path }) => isCode(path) && !exempt(path))
      .map(({ path, text }) => ({ path, lines: linesOf(text) }))
      .sort((a, b) => a.lines - b.lines)
    return [...tooLong(measured), ...share(measured, 0.5, limits.median), ...share(measured, 0.9, limits.ninetieth)]
  },
}

interface Measured {
  path: string
  lines: number
}

const tooLong = (measured: Measured[]): Finding[] =>
  measured
    .filter(({ path, lines }) => lines > longestOf(path))
    .map(({ path, lines }) => ({ path, message: `${lines} lines; split it by noun (at most ${longestOf(path)})` }))

const share = (measured: Measured[], part: number, limit: number): Finding[] => {
  const within = measured.filter(({ lines }) => lines <= limit).length
  if (within >= measured.length * part) return []
  const longest = measured.slice(-5).map(({ path, lines }) => `${path} (${lines})`)
  return [
    {
      path: '.',
      message: `${within} of ${measured.length} files are within ${limit} lines, ${part * 100} % should be; the longest: ${longest.join(', ')}`,
    },
  ]
}

export const readmeLength: StructureCheck = {
  name: 'the README is there and has at most 120 lines',
  find(files: readonly SourceFile[]) {
    const readme = files.find(({ path }) => path === 'README.md')
    if (readme === undefined) return [{ path: 'README.md', message: 'missing' }]
    const lines = linesOf(readme.text)
    return lines <= 120 ? [] : [{ path: 'README.md', message: `${lines} lines; move the rest to docs/` }]
  },
}
