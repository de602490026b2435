import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { runProgram } from '../run-program.ts'

/**
 * Azure's own storage server for tests brings hundreds of packages, so it is not among ours: it is installed in a folder
 * of its own, from that folder's lockfile and without install scripts, when a run needs it.
 */
const folder = 'server/test/azurite'

const needsIt = (filters: readonly string[]): boolean =>
  filters.length === 0 || filters.some((filter) => /azur/i.test(filter))

/** Never throws: without it its tests say that they were skipped, which fails a strict run. */
export const ensureAzurite = async (filters: readonly string[], root: string): Promise<void> => {
  const cwd = join(root, folder)
  if (!needsIt(filters) || existsSync(join(cwd, 'node_modules/azurite'))) return
  const args = ['ci', '--ignore-scripts', '--no-audit', '--no-fund', '--loglevel=error']
  const { code, output } = await runProgram('npm', args, { cwd })
  if (code !== 0) console.error(`Azurite could not be installed, what needs it cannot run:\n${output}`)
}
