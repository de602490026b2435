import { execFileSync } from 'node:child_process'
import { readFileSync, statSync } from 'node:fs'
import { join, posix } from 'node:path'

/** A file of the tree. `path` starts at the root and has forward slashes. */
export interface SourceFile {
  path: string
  text: string
}

/** A place that breaks a rule, and which. */
export interface Finding {
  path: string
  message: string
}

/** One rule of the house about the tree as a whole. Reads nothing but the files it is given. */
export interface StructureCheck {
  name: string
  find(files: readonly SourceFile[]): Finding[]
}

const largestText = 2_000_000

/** Every text file that git tracks or would track. @throws outside a git repository */
export const readTree = (root: string): SourceFile[] => {
  const listing = execFileSync('git', ['ls-files', '-z', '--cached', '--others', '--exclude-standard'], {
    cwd: root,
    encoding: 'utf8',
    maxBuffer: 64 * 1024 * 1024,
  })
  return listing
    .split('\0')
    .filter((path) => path !== '' && isSmallFile(join(root, path)))
    .sort()
    .map((path) => ({ path, text: readFileSync(join(root, path), 'utf8') }))
    .filter(({ text }) => !text.includes('\0'))
}

// A tracked file may have been deleted, and a link may point nowhere.
const isSmallFile = (file: string): boolean => {
  const found = statSync(file, { throwIfNoEntry: false })
  return found?.isFile() === true && found.size <= largestText
}

export const isCode = (path: string) => /\.(?:ts|tsx|mjs)$/.test(path)
export const isTest = (path: string) => /\.test\.tsx?$/.test(path) || /(?:^|\/)(?:test|bench)\//.test(path)
export const linesOf = (text: string) => text.split('\n').length - (text.endsWith('\n') ? 1 : 0)

const importForms = [
  /^\s*(?:import|export)\b[^'"`;]*?\bfrom\s*['"]([^'"]+)['"]/gm,
  /^\s*import\s*['"]([^'"]+)['"]/gm,
  /\b(?:import|require)\(\s*['"]([^'"]+)['"]/g,
]

/** What a file imports: a package's name as written, or a path from the root for a relative import. */
export const importsOf = (file: SourceFile): string[] =>
  importForms
    .flatMap((form) => [...file.text.matchAll(form)].map((match) => match[1] ?? ''))
    .map((name) => (name.startsWith('.') ? posix.join(posix.dirname(file.path), name) : name))

/** Whether an imported name is this package or an entry of it. */
export const isPackage = (name: string, packageName: string) =>
  name === packageName || name.startsWith(`${packageName}/`)
