import { spawn, spawnSync } from 'node:child_process'
import { existsSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { installEnvironment } from './environment.mjs'
import { pnpmVersion } from './stamp.mjs'

const leastNode = 26

// Running the server takes a quarter of what developing it does.
const ofServer = ['--prod', '--filter', 'interview-integrity', '--filter', '@integrity/server...']

/**
 * Installs exactly what the lockfile names. Its output goes to stderr.
 * @param {string} root
 * @param {import('./stamp.mjs').Part} part
 */
export const installPackages = async (root, part) => {
  const what = part === 'server' ? 'what the server needs' : 'the packages of the lockfile'
  console.error(`Setting up: installing ${what} (once; again only when the lockfile changes).`)
  const [program, ...before] = findNpx()
  const args = ['--yes', `pnpm@${pnpmVersion}`, 'install', '--frozen-lockfile', '--config.confirm-modules-purge=false']
  if (part === 'server') args.push(...ofServer)
  const code = await new Promise((resolve, reject) => {
    const child = spawn(program, [...before, ...args], {
      cwd: root,
      env: installEnvironment(process.env),
      stdio: ['ignore', 2, 2],
      shell: program === 'npx' && process.platform === 'win32',
    })
    const stop = () => child.kill('SIGTERM')
    process.once('SIGINT', stop).once('SIGTERM', stop)
    child.once('error', reject)
    child.once('close', (status, signal) => {
      process.removeListener('SIGINT', stop).removeListener('SIGTERM', stop)
      resolve(signal ?? status)
    })
  })
  if (code === 0) return
  throw new Error(
    `Installing the packages failed (pnpm ended with ${code}; its reason stands above). ` +
      'It needs the npm registry, or the mirror that your npm configuration names. Run the same command again afterwards.',
  )
}

/**
 * The npm that is running this has its npx beside it; on Windows starting `npx` itself would need a shell.
 * @returns {[string, ...string[]]}
 */
const findNpx = () => {
  const folders = [
    ...(process.env.npm_execpath?.endsWith('npm-cli.js') ? [dirname(process.env.npm_execpath)] : []),
    join(dirname(process.execPath), 'node_modules', 'npm', 'bin'),
    join(dirname(process.execPath), '..', 'lib', 'node_modules', 'npm', 'bin'),
  ]
  const script = folders.map((folder) => join(folder, 'npx-cli.js')).find((file) => existsSync(file))
  return script === undefined ? ['npx'] : [process.execPath, script]
}

/**
 * The Node that runs the commands: the one from the lockfile where it exists for this platform and starts, otherwise the
 * caller's own when it is new enough.
 * @param {string} root
 * @returns {string} path of the program
 */
export const readyNode = (root) => {
  const modules = join(root, 'node_modules')
  const windows = process.platform === 'win32'
  const platform = windows ? 'win' : process.platform
  const found = [
    ...(windows ? [] : [join(modules, '.bin', 'node')]),
    ...[`node-${platform}-${process.arch}`, `node-bin-${platform}-${process.arch}`].map((name) =>
      join(modules, name, 'bin', windows ? 'node.exe' : 'node'),
    ),
    process.execPath,
  ]
    .filter((program) => existsSync(program))
    .map((program) => ({ program, ...tried(program) }))
  const ready = found.find(({ major }) => major >= leastNode)
  if (ready !== undefined) return ready.program
  // Small images of Debian and Ubuntu leave it out.
  if (found.some(({ trouble }) => trouble.includes('libatomic.so.1')))
    throw new Error(
      `Node.js ${leastNode} of the lockfile needs the system library libatomic.so.1, which is not on this machine. ` +
        'Install it (Debian and Ubuntu: apt-get install libatomic1; Fedora: dnf install libatomic) and run the same command again.',
    )
  throw new Error(
    `There is no Node.js ${leastNode} for ${process.platform} ${process.arch} in the npm registry that starts here. ` +
      `Install Node.js ${leastNode} or newer yourself (https://nodejs.org) and run the same command with it.`,
  )
}

/** Major version 0 when it does not start, as a glibc build does not on Alpine. @param {string} program */
const tried = (program) => {
  const { stdout, stderr } = spawnSync(program, ['--version'], { encoding: 'utf8' })
  return { major: Number(/^v(\d+)\./.exec(stdout ?? '')?.[1] ?? 0), trouble: stderr ?? '' }
}
