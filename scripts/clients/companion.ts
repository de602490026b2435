import { readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { runProgram } from '../run-program.ts'
import type { WebClient } from './build-client.ts'
import { makeOneFile } from './one-file.ts'

/** The phone companion for browsers, exported with Expo. No network, no telemetry. */
export const companionWeb: WebClient = {
  folder: 'companion',
  // Besides these parts of it the protocol gives types alone, which are not in the result.
  inputs: [
    'scripts/clients/companion.ts',
    'scripts/clients/one-file.ts',
    'companion/app.json',
    'companion/index.ts',
    'companion/index.web.ts',
    'companion/package.json',
    'companion/public',
    'companion/src',
    'shared-protocol/client/src',
    'shared-protocol/src/clients',
    'shared-protocol/src/texts',
    'pnpm-lock.yaml',
  ],
  async build(root, into) {
    const expo = join(root, 'companion/node_modules/expo/bin/cli')
    const args = [expo, 'export', '--platform', 'web', '--output-dir', into]
    // What no module uses is left out: 3 kB of what a phone loads first.
    const shaken = { EXPO_UNSTABLE_TREE_SHAKING: '1', EXPO_UNSTABLE_METRO_OPTIMIZE_GRAPH: '1' }
    const calm = { EXPO_OFFLINE: '1', EXPO_NO_TELEMETRY: '1', CI: '1' }
    const env = { ...process.env, NODE_ENV: 'production', ...calm, ...shaken }
    const { code, output } = await runProgram(process.execPath, args, { cwd: join(root, 'companion'), env })
    if (code !== 0) throw new Error(`companion could not be exported:\n${output}`)
    rmSync(join(into, 'metadata.json'), { force: true })
    // The server may live under a path prefix, and Expo knows absolute addresses only.
    const page = join(into, 'index.html')
    writeFileSync(page, readFileSync(page, 'utf8').replaceAll('="/companion/', '="./'))
    makeOneFile(into, 'index.html')
  },
}
