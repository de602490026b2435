import { execFileSync } from 'node:child_process'
import { copyFileSync, mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { runChecks } from './run-checks.ts'
import { readTree } from './source-tree.ts'

let root: string
const write = (path: string, text: string) => {
  mkdirSync(join(root, path, '..'), { recursive: true })
  writeFileSync(join(root, path), text)
}

beforeEach(() => {
  root = mkdtempSync(join(tmpdir(), 'checked-tree-'))
  execFileSync('git', ['init', '-q'], { cwd: root })
  write('.gitignore', 'ignored\nnode_modules\n')
})
afterEach(() => rmSync(root, { recursive: true, force: true }))

describe('readTree', () => {
  it('reads tracked and new text files, and neither ignored, binary nor deleted ones', () => {
    write('tracked.ts', 'a')
    write('deleted.ts', 'b')
    execFileSync('git', ['add', '.'], { cwd: root })
    rmSync(join(root, 'deleted.ts'))
    write('folder/new file.ts', 'c')
    write('ignored', 'd')
    write('picture.png', 'e\0f')
    expect(readTree(root).map(({ path, text }) => [path, text])).toEqual([
      ['.gitignore', 'ignored\nnode_modules\n'],
      ['folder/new file.ts', 'c'],
      ['tracked.ts', 'a'],
    ])
  })
})

/** What fails, and what is said about it, in a tree with this source: with this repository's own tools and rules. */
const outcomes = async (source: string, generate: string): Promise<Map<string, string>> => {
  const home = resolve(import.meta.dirname, '../..')
  symlinkSync(join(home, 'node_modules'), join(root, 'node_modules'))
  for (const config of ['biome.json', '.oxlintrc.json']) copyFileSync(join(home, config), join(root, config))
  write(
    'tsconfig.json',
    '{\n  "compilerOptions": { "strict": true, "noEmit": true, "allowImportingTsExtensions": true },\n  "include": ["src"]\n}\n',
  )
  write('src/main.ts', source)
  write('src/other.ts', "import * as main from './main.ts'\n\nconsole.log(main)\n")
  write('scripts/generate.ts', generate)
  write('README.md', '# A tree\n')
  const told: string[] = []
  const results = await runChecks(root, ({ name }) => told.push(name))
  expect(told.toSorted()).toEqual(results.map(({ name }) => name).toSorted())
  return new Map(results.filter(({ passed }) => !passed).map(({ name, output }) => [name.replace(/ \(.*/, ''), output]))
}

describe('runChecks', () => {
  it('finds a wrong type, a wrong format, a floating promise and stale generated files', async () => {
    const found = await outcomes(
      'export const one : number = "1"\nexport const f = async () => {}\nexport const g = () => { f() }\nfunction h() {}\nh()\n',
      "console.error('endpoints.json is stale')\nprocess.exitCode = 1\n",
    )
    expect(Object.fromEntries(found)).toEqual({
      types: expect.stringContaining("'string' is not assignable to type 'number'"),
      'format and lint': expect.stringContaining('Formatter would have printed'),
      'type-aware lint, import cycles': expect.stringContaining('no-floating-promises'),
      'a function is an arrow function wherever it can be one': expect.stringContaining('src/main.ts'),
      'generated files are up to date': expect.stringContaining('endpoints.json is stale'),
    })
  })

  it('passes a tree that keeps every rule', async () => {
    const found = await outcomes("export const one = '1'\n", 'process.exitCode = 0\n')
    expect(Object.fromEntries(found)).toEqual({})
  })
})
