// Brings the tree, or the paths that are given, into the house's form: what a tool can corrected, it does.
import { writeFileSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { isCode, readTree, type SourceFile } from './checks/source-tree.ts'
import { arrowFunctions } from './fix/arrow-functions.ts'
import { camelConstants } from './fix/camel-constants.ts'
import { runProgram } from './run-program.ts'

const root = resolve(import.meta.dirname, '..')
const paths = process.argv.slice(2).map((path) => path.replace(/^\.\/|\/$/g, ''))
const chosen = (path: string) =>
  paths.length === 0 || paths.some((folder) => path === folder || path.startsWith(`${folder}/`))

const write = ({ path, text }: SourceFile) => writeFileSync(join(root, path), text)

const tool = async (script: string, ...args: string[]): Promise<boolean> => {
  const { code } = await runProgram(process.execPath, [join(root, script), ...args], { cwd: root, output: 'show' })
  return code === 0
}

const exempt = /(?:^|\/)(?:generated|vectors|migrations)\//

// Two spellings of one thing; the rules that hold the tree to one of them are in .oxlintrc.json and biome.json.
const interfaces = ['-c', 'scripts/fix/interfaces.oxlintrc.json', '--disable-nested-config', '--fix-dangerously']
await tool('node_modules/oxlint/bin/oxlint', ...interfaces, ...paths)
for (const { path, text } of readTree(root)) {
  if (!isCode(path) || exempt.test(path) || !chosen(path)) continue
  const fixed = arrowFunctions(path, text)
  if (fixed !== text) write({ path, text: fixed })
}
const { files, taken } = camelConstants(
  readTree(root).filter(({ path }) => !exempt.test(path)),
  chosen,
)
files.forEach(write)
for (const line of taken) console.error(`${line} stays: its camelCase is another thing's name there`)
const formatted = await tool('node_modules/@biomejs/biome/bin/biome', 'check', '--write', ...paths)
process.exitCode = formatted ? 0 : 1
