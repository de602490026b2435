// Makes the Debian package of the server in dist/: `npm run package:server`.
import { readFile, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { runProgram } from './run-program.ts'
import { buildDebianPackage } from './server-package/debian-package.ts'
import { packageVersion } from './server-package/package-version.ts'
import { makePayload } from './server-package/payload.ts'
import { writeBom } from './supply/bom.ts'

const root = resolve(import.meta.dirname, '..')
const released = (JSON.parse(await readFile(join(root, 'server/package.json'), 'utf8')) as { version: string }).version
const git = async (...args: string[]): Promise<string | undefined> => {
  const { code, output } = await runProgram('git', ['-C', root, ...args]).catch(() => ({ code: 1, output: '' }))
  return code === 0 ? output.trim() : undefined
}
const commit = (await git('rev-parse', '--short=12', 'HEAD')) ?? 'unknown'
const sinceTag = await git('rev-list', '--count', `v${released}..HEAD`)
const version = packageVersion(released, {
  commit,
  commits: Number((await git('rev-list', '--count', 'HEAD')) ?? 0),
  isTagged: sinceTag === '0',
  sinceTag: sinceTag === undefined ? undefined : Number(sinceTag),
})
const architecture = process.arch === 'arm64' ? 'arm64' : 'amd64'
const work = join(tmpdir(), `interview-integrity-package-${process.pid}`)

try {
  const { code } = await runProgram('dpkg-deb', ['--version']).catch(() => ({ code: 1 }))
  if (code !== 0 || process.platform !== 'linux') throw new Error('This needs Linux and dpkg-deb (Debian: dpkg).')
  console.error('Gathering the server and its packages; this takes a minute.')
  await makePayload(root, join(work, 'payload'), commit)
  const call = { root, version, architecture, payload: join(work, 'payload'), staging: join(work, 'package') } as const
  const to = join(root, 'dist')
  console.log(await buildDebianPackage({ ...call, to }))
  console.log(writeBom({ root, part: 'server', version, madeAt: new Date(), to }))
} catch (error) {
  console.error(error instanceof Error ? error.message : error)
  process.exitCode = 1
} finally {
  await rm(work, { recursive: true, force: true })
}
