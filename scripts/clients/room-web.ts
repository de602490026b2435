import { join } from 'node:path'
import { runProgram } from '../run-program.ts'
import type { WebClient } from './build-client.ts'
import { makeOneFile } from './one-file.ts'

/** The page of the room, and those that links in e-mails lead to. */
const pages = ['index', 'invitation', 'requests', 'access', 'password', 'invite', 'account']

/** The browser client of the room, built with Vite. */
export const roomWeb: WebClient = {
  folder: 'room-web',
  // Besides these parts of it the protocol gives types alone; the lockfile, because it says which React.
  inputs: [
    'scripts/clients/room-web.ts',
    'scripts/clients/one-file.ts',
    ...pages.map((page) => `room-web/${page}.html`),
    'room-web/package.json',
    'room-web/build',
    'room-web/src',
    'shared-ui/package.json',
    'shared-ui/src',
    'shared-protocol/client/src',
    'shared-protocol/src/clients',
    'shared-protocol/src/texts',
    'pnpm-lock.yaml',
  ],
  async build(root, into) {
    const vite = join(root, 'room-web/node_modules/vite/bin/vite.js')
    const args = ['build', '--config', 'build/vite.config.ts', '--configLoader', 'native', '--outDir', into]
    for (const page of pages) {
      // A test or a shell may have set another one, and React would come with its development half.
      const env = { ...process.env, NODE_ENV: 'production', ROOM_PAGE: page }
      const { code, output } = await runProgram(process.execPath, [vite, ...args], { cwd: join(root, 'room-web'), env })
      if (code !== 0) throw new Error(`room-web could not be built:\n${output}`)
      makeOneFile(into, `${page}.html`)
    }
  },
}
