import { cp, mkdir, readdir, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { installEnvironment } from '../bootstrap/environment.mjs'
import { pnpmVersion } from '../bootstrap/stamp.mjs'
import { runProgram } from '../run-program.ts'

/** What the server reads of the tree while it runs. The other packages' names are what the lockfile asks for. */
export const kept = [
  'package.json',
  'pnpm-lock.yaml',
  'pnpm-workspace.yaml',
  '.pnpmfile.cjs',
  'LICENSE',
  'docs/verify/play-bundle.html',
  'docs/verify/verify-bundle.html',
  'server/package.json',
  'server/src',
  'shared-protocol',
  'agent/package.json',
  'command-line/package.json',
  'companion/package.json',
  'companion/dist',
  'desk/package.json',
  'desk/dist',
  'room-web/package.json',
  'room-web/dist',
  'shared-ui/package.json',
]

const isShipped = (path: string): boolean =>
  !/\/(?:node_modules|\.tsbuild|test-support|test)$|\.test(?:-support)?\.tsx?$/.test(path)

/** Of Node the program is enough. */
const withoutNodesExtras = async (payload: string): Promise<void> => {
  const store = join(payload, 'node_modules/.pnpm')
  const folders = (await readdir(store)).filter((name) => /^node-(?:bin-)?linux-(?:x64|arm64)@/.test(name))
  for (const folder of folders) {
    const modules = join(store, folder, 'node_modules')
    for (const name of await readdir(modules))
      for (const extra of ['include', 'share', 'lib', 'CHANGELOG.md'])
        await rm(join(modules, name, extra), { recursive: true, force: true })
  }
}

/** The server with the packages that it needs and no others, ready to run where it is put. */
export const makePayload = async (root: string, payload: string, commit = 'unknown'): Promise<void> => {
  await rm(payload, { recursive: true, force: true })
  await mkdir(payload, { recursive: true })
  for (const name of kept)
    await cp(join(root, name), join(payload, name), { recursive: true, filter: isShipped, verbatimSymlinks: true })
  await writeFile(join(payload, 'server/build.json'), `${JSON.stringify({ commit })}\n`)
  const args = ['--yes', `pnpm@${pnpmVersion}`, 'install', '--frozen-lockfile', '--prod']
  const only = ['--filter', 'interview-integrity', '--filter', '@integrity/server...']
  const { code, output } = await runProgram('npx', [...args, ...only, '--config.package-import-method=copy'], {
    cwd: payload,
    env: installEnvironment(process.env),
  })
  if (code !== 0) throw new Error(`installing the server's packages failed: ${output}`)
  await withoutNodesExtras(payload)
}
