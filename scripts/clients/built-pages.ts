import { join } from 'node:path'
import { runProgram } from '../run-program.ts'
import type { WebClient } from './build-client.ts'
import { makeOneFile } from './one-file.ts'

interface BuiltPages {
  /** Of the client, from the root. */
  readonly folder: string
  /** Its documents, without `.html`. */
  readonly pages: readonly string[]
  readonly inputs: readonly string[]
  /** Of the pages, those that load their scripts from beside them: from `assets` in the folder of this name in their address. */
  readonly split?: Readonly<Record<string, string>>
}

/** A browser client whose pages Vite builds, each into one file. */
export const builtPages = ({ folder, pages, inputs, split = {} }: BuiltPages): WebClient => ({
  folder,
  // Besides these parts of it the protocol gives types alone; the lockfile, because it says which React.
  inputs: [
    'scripts/clients/built-pages.ts',
    'scripts/clients/one-file.ts',
    ...inputs,
    ...pages.map((page) => `${folder}/${page}.html`),
    `${folder}/package.json`,
    `${folder}/build`,
    `${folder}/src`,
    'shared-ui/build',
    'shared-ui/package.json',
    'shared-ui/src',
    'shared-protocol/client/src',
    'shared-protocol/src/clients',
    'shared-protocol/src/texts',
    'pnpm-lock.yaml',
  ],
  async build(root, into) {
    const vite = join(root, folder, 'node_modules/vite/bin/vite.js')
    const args = ['build', '--config', 'build/vite.config.ts', '--configLoader', 'native', '--outDir', into]
    for (const page of pages) {
      // A test or a shell may have set another one, and React would come with its development half.
      const env = { ...process.env, NODE_ENV: 'production', BUILT_PAGE: page }
      const { code, output } = await runProgram(process.execPath, [vite, ...args], { cwd: join(root, folder), env })
      if (code !== 0) throw new Error(`${folder} could not be built:\n${output}`)
      makeOneFile(into, `${page}.html`, split[page])
    }
  },
})
