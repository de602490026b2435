import { join } from 'node:path'
import { runProgram } from '../run-program.ts'
import type { WebClient } from './build-client.ts'

/** The package of the client library, which the server gives to whoever integrates. */
export const clientLibrary: WebClient = {
  folder: 'shared-protocol/client',
  // Its types are those of the whole contract.
  inputs: [
    'scripts/clients/client-library.ts',
    'shared-protocol/client/README.md',
    'shared-protocol/client/build',
    'shared-protocol/client/package.json',
    'shared-protocol/client/src',
    'shared-protocol/src',
    'pnpm-lock.yaml',
  ],
  async build(root, into) {
    const program = join(root, 'shared-protocol/client/build/build-package.ts')
    const { code, output } = await runProgram(process.execPath, [program, into], { cwd: root })
    if (code !== 0) throw new Error(`the client library could not be built:\n${output}`)
  },
}
