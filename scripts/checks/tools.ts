import { join } from 'node:path'
import { runProgram } from '../run-program.ts'

/** How one check ended. `output` says what is wrong and where; it may be empty when all is well. */
export interface CheckResult {
  name: string
  passed: boolean
  output: string
}

/** A program that judges the tree by its exit code. Started by its JavaScript entry, which needs no shell on Windows. */
async function tool(root: string, name: string, script: string, args: string[]): Promise<CheckResult> {
  const { code, output } = await runProgram(process.execPath, [join(root, script), ...args], {
    cwd: root,
  })
  return { name, passed: code === 0, output }
}

// Each checker works the schemas' types out for itself: with the usual four, two cores take nearly twice as long.
export const typecheck = (root: string) =>
  tool(root, 'types (tsc -b)', 'node_modules/typescript/bin/tsc', ['-b', '--checkers', '1', '--pretty', 'false'])

export const formatAndLint = (root: string) =>
  tool(root, 'format and lint (biome check)', 'node_modules/@biomejs/biome/bin/biome', ['check', '--error-on-warnings'])

export const typeAwareLint = (root: string) =>
  tool(root, 'type-aware lint, import cycles (oxlint)', 'node_modules/oxlint/bin/oxlint', [
    '--type-aware',
    '--deny-warnings',
  ])

/** What is derived from the registry is committed; `npm run generate` renews it, this writes nothing. */
export const generatedFiles = (root: string) =>
  tool(root, 'generated files are up to date (npm run generate)', 'scripts/generate.ts', ['--check'])
