// Makes the Debian package of the server in dist/: `npm run package:server`.
import { readFile, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { runProgram } from './run-program.ts'
import { buildDebianPackage } from './server-package/debian-package.ts'
import { makePayload } from './server-package/payload.ts'

const root = resolve(import.meta.dirname, '..')
const { version } = JSON.parse(await readFile(join(root, 'server/package.json'), 'utf8')) as { version: string }
const architecture = process.arch === 'arm64' ? 'arm64' : 'amd64'
const work = join(tmpdir(), `interview-integrity-package-${process.pid}`)

try {
  const { code } = await runProgram('dpkg-deb', ['--version']).catch(() => ({ code: 1 }))
  if (code !== 0 || process.platform !== 'linux') throw new Error('This needs Linux and dpkg-deb (Debian: dpkg).')
  console.error('Gathering the server and its packages; this takes a minute.')
  await makePayload(root, join(work, 'payload'))
  const call = { root, version, architecture, payload: join(work, 'payload'), staging: join(work, 'package') } as const
  console.log(await buildDebianPackage({ ...call, to: join(root, 'dist') }))
} catch (error) {
  console.error(error instanceof Error ? error.message : error)
  process.exitCode = 1
} finally {
  await rm(work, { recursive: true, force: true })
}
