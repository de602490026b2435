import { join } from 'node:path'
import { runProgram } from '../run-program.ts'
import type { SourceFile } from './source-tree.ts'
import { fingerprints, notKnownClean, readClean, writeClean } from './typed-lint.ts'

/** How one check ended. `output` says what is wrong and where; it may be empty when all is well. */
export interface CheckResult {
  name: string
  passed: boolean
  output: string
}

/** A program that judges the tree by its exit code. Started by its JavaScript entry, which needs no shell on Windows. */
const tool = async (root: string, name: string, script: string, args: string[]): Promise<CheckResult> => {
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

/** So many paths fit in a command line on every system; beyond them, the whole tree takes hardly longer. */
const mostPaths = 200

/**
 * The rules that know types, over what may have changed for them since they last found nothing; the others, which take
 * a second, over everything. @param whole as if nothing was known
 */
export const typeAwareLint = async (
  root: string,
  files: readonly SourceFile[],
  whole: boolean,
): Promise<CheckResult> => {
  const name = 'type-aware lint, import cycles (oxlint)'
  const oxlint = (...args: string[]) =>
    tool(root, name, 'node_modules/oxlint/bin/oxlint', ['--deny-warnings', '--no-error-on-unmatched-pattern', ...args])
  const now = fingerprints(files)
  const suspects = notKnownClean(now, whole ? {} : readClean(root))
  const everything = suspects.length > mostPaths
  const runs = everything
    ? [oxlint('--type-aware')]
    : [oxlint(), ...(suspects.length > 0 ? [oxlint('--type-aware', ...suspects)] : [])]
  const results = await Promise.all(runs)
  const failed = results.find(({ passed }) => !passed)
  if (failed === undefined) writeClean(root, now)
  return failed ?? { name, passed: true, output: '' }
}

/** What is derived from the registry is committed; `npm run generate` renews it, this writes nothing. */
export const generatedFiles = (root: string) =>
  tool(root, 'generated files are up to date (npm run generate)', 'scripts/generate.ts', ['--check'])
