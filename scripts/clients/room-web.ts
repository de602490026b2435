import { join } from 'node:path'
import { runProgram } from '../run-program.ts'
import type { WebClient } from './build-client.ts'

/** The browser client of the room, built with Vite. */
export const roomWeb: WebClient = {
  folder: 'room-web',
  // Besides these parts of it the protocol gives types alone; the lockfile, because it says which React.
  inputs: [
    'scripts/clients/room-web.ts',
    'room-web/index.html',
    'room-web/invitation.html',
    'room-web/requests.html',
    'room-web/access.html',
    'room-web/password.html',
    'room-web/invite.html',
    'room-web/account.html',
    'room-web/package.json',
    'room-web/build',
    'room-web/src',
    'shared-protocol/client/src',
    'shared-protocol/src/clients',
    'pnpm-lock.yaml',
  ],
  async build(root, into) {
    const vite = join(root, 'room-web/node_modules/vite/bin/vite.js')
    const args = ['build', '--config', 'build/vite.config.ts', '--configLoader', 'native', '--outDir', into]
    // A test or a shell may have set another one, and React would come with its development half.
    const env = { ...process.env, NODE_ENV: 'production' }
    const { code, output } = await runProgram(process.execPath, [vite, ...args], { cwd: join(root, 'room-web'), env })
    if (code !== 0) throw new Error(`room-web could not be built:\n${output}`)
  },
}
