import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { bootstrapTree, running } from './test-run/bootstrap-tree.ts'

const echo = 'console.log(JSON.stringify(process.argv.slice(2))); process.exitCode = 7'
const server = `process.on('SIGTERM', () => { console.log('drained'); process.exit(3) })
setInterval(() => {}, 1000)
console.log('listening')`

describe.skipIf(process.platform === 'win32')('run.mjs [needs a POSIX shell]', () => {
  it('installs from the lockfile at the first start and not at the second', async () => {
    using tree = bootstrapTree()
    tree.write('server/src/app/admin.ts', echo)
    await tree.start(['admin']).ended
    await tree.start(['admin']).ended
    expect(tree.installs()).toEqual([expect.stringMatching(/^--yes pnpm@12\.21\.0 install --frozen-lockfile/)])
  })

  it.each(['pnpm-lock.yaml', 'pnpm-workspace.yaml', 'package.json', 'server/package.json'])(
    'installs again when %s has changed',
    async (path) => {
      using tree = bootstrapTree()
      tree.write('server/src/app/admin.ts', echo)
      await tree.start(['admin']).ended
      tree.write(path, '{ "private": true }')
      await tree.start(['admin']).ended
      expect(tree.installs()).toHaveLength(2)
    },
  )

  it('installs for running the server no more than that needs, and the rest when a command asks for it', async () => {
    using tree = bootstrapTree()
    for (const file of ['server/src/app/admin.ts', 'server/src/main.ts', 'scripts/check.ts']) tree.write(file, echo)
    await tree.start(['start']).ended
    await tree.start(['admin']).ended
    expect(tree.installs()).toEqual([
      expect.stringContaining('--prod --filter interview-integrity --filter @integrity'),
    ])
    await tree.start(['check']).ended
    await tree.start(['start']).ended
    expect(tree.installs()).toHaveLength(2)
    expect(tree.installs()[1]).not.toContain('--prod')
    // Who develops does not lose the tools when the lockfile changes.
    tree.write('pnpm-lock.yaml', 'lockfileVersion: 2\n')
    await tree.start(['start']).ended
    expect(tree.installs()).toHaveLength(3)
    expect(tree.installs()[2]).not.toContain('--prod')
  })

  it('installs the tools for a start that has to build what browsers load', async () => {
    using tree = bootstrapTree()
    tree.write('server/src/main.ts', "console.log('started')")
    const build = `import { existsSync, writeFileSync } from 'node:fs'
      if (!existsSync('tried')) { writeFileSync('tried', ''); process.exitCode = 75 }`
    tree.write('scripts/build-clients.ts', build)
    const { code, stdout } = await tree.start(['start']).ended
    expect([code, stdout]).toEqual([0, 'started\n'])
    expect(tree.installs().map((line) => line.includes('--prod'))).toEqual([true, false])
  })

  it('leaves stdout to the command, hands over its arguments and passes its exit code on', async () => {
    using tree = bootstrapTree()
    tree.write('server/src/app/admin.ts', echo)
    const { code, stdout, stderr } = await tree.start(['admin', 'bootstrap', '--org', 'A "quoted" name', '']).ended
    expect(stdout).toBe('["bootstrap","--org","A \\"quoted\\" name",""]\n')
    expect(stderr).toContain('chatter of the package manager')
    expect(code).toBe(7)
  })

  it("puts the tree's own programs first on the PATH and keeps npm's configuration out", async () => {
    using tree = bootstrapTree()
    tree.write('server/src/app/admin.ts', 'console.log(process.env.PATH + "|" + process.env.npm_config_loglevel)')
    const env = { npm_config_loglevel: 'silent', npm_config_registry: 'http://127.0.0.1:9/' }
    const { stdout } = await tree.start(['admin'], env).ended
    expect(stdout.startsWith(`${join(tree.root, 'node_modules/.bin')}:`)).toBe(true)
    expect(stdout.trim().endsWith('|undefined')).toBe(true)
    const seen = readFileSync(join(tree.root, 'install-environment.txt'), 'utf8')
    expect(seen).toContain('npm_config_registry=http://127.0.0.1:9/')
    expect(seen).not.toContain('loglevel')
  })

  it('keeps compiled code between starts of programs that people wait for, and of no others', async () => {
    using tree = bootstrapTree()
    const tell = 'console.log(String(process.env.NODE_COMPILE_CACHE))'
    tree.write('server/src/app/admin.ts', tell)
    tree.write('scripts/check.ts', tell)
    // The run of the tests keeps compiled code itself.
    const told = async (name: string, env: NodeJS.ProcessEnv = { NODE_COMPILE_CACHE: undefined }) =>
      (await tree.start([name], env).ended).stdout.trim()
    expect(await told('admin')).toBe(join(tree.root, 'node_modules/.cache/node'))
    expect(await told('admin', { NODE_COMPILE_CACHE: '/elsewhere' })).toBe('/elsewhere')
    expect(await told('check')).toBe('undefined')
  })

  it('gives the programs that run for hours the memory settings, and no others', async () => {
    using tree = bootstrapTree()
    const tell = 'console.log(String(process.env.MALLOC_ARENA_MAX))'
    for (const file of ['server/src/main.ts', 'agent/src/headless/headless.ts', 'server/src/app/admin.ts'])
      tree.write(file, tell)
    const told = async (name: string, env: NodeJS.ProcessEnv = { MALLOC_ARENA_MAX: undefined }) =>
      (await tree.start([name], env).ended).stdout.trim()
    expect([await told('start'), await told('agent'), await told('admin')]).toEqual(['2', '2', 'undefined'])
    expect(await told('start', { MALLOC_ARENA_MAX: '7' })).toBe('7')
  })

  it('says in words that an install failed, and tries again next time', async () => {
    using tree = bootstrapTree()
    tree.write('server/src/app/admin.ts', echo)
    tree.write('fail-install', '')
    const { code, stderr, stdout } = await tree.start(['admin']).ended
    expect(code).toBe(1)
    expect(stderr).toContain('Installing the packages failed')
    expect(stdout).toBe('')
    await tree.start(['admin']).ended
    expect(tree.installs()).toHaveLength(2)
  })

  it('lets one of two first starts install while the other waits', async () => {
    using tree = bootstrapTree()
    tree.write('server/src/app/admin.ts', echo)
    const codes = await Promise.all([1, 2].map(async () => (await tree.start(['admin']).ended).code))
    expect(codes).toEqual([7, 7])
    expect(tree.installs()).toHaveLength(1)
  })

  it('builds what browsers load before the server starts, and starts nothing when that fails', async () => {
    using tree = bootstrapTree()
    tree.write('server/src/main.ts', "console.log('started')")
    tree.write('server/src/app/admin.ts', "console.log('administered')")
    tree.write('scripts/build-clients.ts', "console.error('built')")
    const started = await tree.start(['start']).ended
    expect([started.stdout, started.code]).toEqual(['started\n', 0])
    expect(started.stderr).toContain('built')
    const administered = await tree.start(['admin']).ended
    expect([administered.stdout, administered.stderr]).toEqual(['administered\n', ''])
    tree.write('scripts/build-clients.ts', 'process.exit(5)')
    const failed = await tree.start(['start']).ended
    expect([failed.stdout, failed.code]).toEqual(['', 5])
  })

  it('names the commands when it is given none, an unknown one, or a name every object has', async () => {
    using tree = bootstrapTree()
    for (const args of [[], ['strat'], ['toString']]) {
      const { code, stderr } = await tree.start(args).ended
      expect(code).toBe(2)
      expect(stderr).toContain('start, admin')
    }
    expect(tree.installs()).toEqual([])
  })

  it.each(['SIGTERM', 'SIGHUP', 'SIGINT'] as const)('passes %s on and waits for the command to end', async (signal) => {
    using tree = bootstrapTree()
    tree.write('server/src/main.ts', server.replace('SIGTERM', signal))
    const start = tree.start(['start'])
    await start.printed('listening')
    start.kill(signal)
    const { code, stdout } = await start.ended
    expect(stdout).toBe('listening\ndrained\n')
    expect(code).toBe(3)
  })

  it('answers with 128 and the number of the signal that ended the command', async () => {
    using tree = bootstrapTree()
    tree.write('server/src/main.ts', "process.kill(process.pid, 'SIGKILL')")
    expect((await tree.start(['start']).ended).code).toBe(137)
  })

  it('stops the command when its own parent is killed', async () => {
    using tree = bootstrapTree()
    tree.write('server/src/main.ts', server)
    const launcher = `import { spawn } from 'node:child_process'
      spawn(process.execPath, ['scripts/run.mjs', 'start'], { stdio: 'inherit' })`
    const { npm_lifecycle_event: _, ...env } = tree.env
    const parent = running(process.execPath, ['--input-type=module', '-e', launcher], tree.root, env)
    await parent.printed('listening')
    parent.kill('SIGKILL')
    // The streams close only when the command itself has gone.
    expect((await parent.ended).stdout).toBe('listening\ndrained\n')
  })

  it('stops the command when npm is killed, although the shell between them lives on', async () => {
    using tree = bootstrapTree()
    tree.write('server/src/main.ts', server)
    tree.write('package.json', '{ "type": "module", "scripts": { "start": "node scripts/run.mjs start; exit $?" } }')
    tree.write('server/src/app/admin.ts', echo)
    await tree.start(['admin']).ended
    const npm = running('npm', ['start'], tree.root, tree.env)
    await npm.printed('listening')
    npm.kill('SIGKILL')
    expect((await npm.ended).stdout).toContain('listening\ndrained\n')
  })
})

describe('run.mjs on an old Node', () => {
  it('says which Node it needs instead of failing on syntax', async () => {
    const run = join(import.meta.dirname, 'run.mjs')
    const pretend = 'Object.defineProperty(process, "versions", { value: { ...process.versions, node: "18.20.8" } })'
    const old = running(
      process.execPath,
      ['--import', `data:text/javascript,${encodeURIComponent(pretend)}`, run, 'start'],
      import.meta.dirname,
      process.env,
    )
    const { code, stderr } = await old.ended
    expect(code).toBe(1)
    expect(stderr).toContain('needs Node.js 20 or newer')
    expect(stderr).toContain('18.20.8')
  })
})
