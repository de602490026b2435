import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { runProgram } from '../run-program.ts'

/**
 * Programs for tests that bring hundreds of packages, so they are not among ours: each is installed in a folder of its own,
 * from that folder's lockfile and without install scripts, when a run needs it.
 */
export interface TestTool {
  readonly folder: string
  /** One of its packages, by which it is known to be installed. */
  readonly proof: string
  /** Paths of a run that need it. */
  readonly needed: RegExp
  readonly atNightOnly: boolean
}

export const testTools: readonly TestTool[] = [
  { folder: 'server/test/azurite', proof: 'azurite', needed: /azur/i, atNightOnly: false },
  { folder: 'shared-protocol/test/generators', proof: 'orval', needed: /openapi-client/, atNightOnly: true },
]

/** Those that a run of these paths needs; without paths it is a whole run, at night (`isAll`) or after a change. */
export const toolsFor = (paths: readonly string[], isAll: boolean): TestTool[] =>
  testTools.filter(({ needed, atNightOnly }) =>
    paths.length === 0 ? isAll || !atNightOnly : paths.some((path) => needed.test(path)),
  )

/** Never throws: without a tool its tests say that they were skipped or fail, which fails a strict run. */
export const ensureTestTools = async (tools: readonly TestTool[], root: string): Promise<void> => {
  for (const { folder, proof } of tools) {
    const cwd = join(root, folder)
    if (existsSync(join(cwd, 'node_modules', proof))) continue
    const args = ['ci', '--ignore-scripts', '--no-audit', '--no-fund', '--loglevel=error']
    const { code, output } = await runProgram('npm', args, { cwd })
    if (code !== 0) console.error(`${folder} could not be installed, what needs it cannot run:\n${output}`)
  }
}
