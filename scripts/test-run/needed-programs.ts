import { execFileSync } from 'node:child_process'
import { existsSync, readFileSync } from 'node:fs'
import { isAbsolute, join, relative, sep } from 'node:path'
import { importsOf, isTest } from '../checks/source-tree.ts'
import { onlyAskedFor, type SystemProgram, testPrograms } from '../system-packages.ts'

/** What comes with a program that a test names. */
const companions: Partial<Record<SystemProgram, readonly SystemProgram[]>> = {
  chromium: ['fonts-dejavu-core'],
  'chromium-headless-shell': ['fonts-dejavu-core'],
  pulseaudio: ['arecord', 'libsox-fmt-pulse', 'libasound2-plugins'],
  python3: ['python3-cryptography'],
  xmlsec1: ['python3', 'python3-pysaml2'],
  pocketsphinx_continuous: ['pocketsphinx-en-us'],
}

// Where none of these stands, a program's name is data.
const startsPrograms = /node:child_process|playwright-core|\b(?:canRunWith|findProgram|runCommand|findFfmpeg)\b/

/** The tree, whose files are read when they are needed: a run of one test is in a hurry. */
export interface LazyTree {
  /** From the root, with forward slashes. */
  readonly paths: readonly string[]
  readonly read: (path: string) => string
}

const lazyTree = (root: string): LazyTree => {
  const args = ['ls-files', '-z', '--cached', '--others', '--exclude-standard', '*.ts', '*.tsx']
  const listed = execFileSync('git', args, { cwd: root, encoding: 'utf8', maxBuffer: 64 * 1024 * 1024 })
  const paths = listed.split('\0').filter((path) => path !== '' && existsSync(join(root, path)))
  return { paths, read: (path) => readFileSync(join(root, path), 'utf8') }
}

/**
 * The texts of these tests and of the helpers that they load. The code under test names programs as well, for every test that
 * starts it; the tests that mean it name them themselves.
 */
const textsOf = (chosen: readonly string[], { paths, read }: LazyTree): string[] => {
  const known = new Set(paths)
  const texts = new Map<string, string>()
  const waiting = [...chosen]
  for (let path = waiting.pop(); path !== undefined; path = waiting.pop()) {
    if (texts.has(path)) continue
    const text = read(path)
    texts.set(path, text)
    const targets = importsOf({ path, text }).flatMap((name) => ['', '.ts', '.tsx'].map((ending) => name + ending))
    waiting.push(...targets.filter((target) => known.has(target) && isTestCode(target)))
  }
  return [...texts.values()]
}

/**
 * The programs that the tests chosen by vitest's arguments drive: those that a chosen test, or a helper which it loads,
 * names as a string (`'ffmpeg'`, `'/usr/bin/chromium'`) and could start. All of them when no path is among the arguments,
 * but for those that are large enough to be asked for: of these a path has to speak (`s3.ceph`).
 */
export const programsFor = (args: readonly string[], root: string, tree?: LazyTree): SystemProgram[] => {
  const filters = pathFilters(args).map((filter) => fromRoot(filter, root))
  if (filters.length === 0) return testPrograms
  const files = tree ?? lazyTree(root)
  const chosen = files.paths.filter(
    (path) => /\.test\.tsx?$/.test(path) && filters.some((filter) => path.includes(filter)),
  )
  const text = textsOf(chosen, files)
    .filter((one) => startsPrograms.test(one))
    .join('\n')
  const asked = Object.keys(onlyAskedFor).filter((word) => filters.some((filter) => filter.includes(word)))
  const known = [...testPrograms, ...asked.flatMap((word) => onlyAskedFor[word] ?? [])]
  const named = known.filter((program) => new RegExp(`['"/]${program}['"]`).test(text))
  return [...new Set(named.flatMap((program) => [program, ...(companions[program] ?? [])]))]
}

const isTestCode = (path: string): boolean => isTest(path) || /[/.]test-support[/.]/.test(path)

const takesValue = /^(?:-t|-c|-r|--(?:testNamePattern|project|config|root|dir|reporter|outputFile|retry))$/

const pathFilters = (args: readonly string[]): string[] =>
  args.filter((arg, index) => !arg.startsWith('-') && !takesValue.test(args[index - 1] ?? ''))

/** As the tree's paths are written; without the line that vitest allows behind it. */
const fromRoot = (filter: string, root: string): string => {
  const path = isAbsolute(filter) ? relative(root, filter) : filter
  return path.replace(/:\d+$/, '').split(sep).join('/').replace(/^\.\//, '')
}
