import { existsSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { fileURLToPath } from 'node:url'
import { commandEnvironment } from './environment.mjs'
import { installPackages, readyNode } from './install.mjs'
import { withMemorySettings } from './memory.mjs'
import { withSetupLock } from './setup-lock.mjs'
import { readStamp, treeStamp, writeStamp } from './stamp.mjs'
import { supervise } from './supervise.mjs'

/** What each command runs, from the root of the tree. @type {Record<string, string>} */
const commands = {
  start: 'server/src/main.ts',
  admin: 'server/src/app/admin.ts',
  agent: 'agent/src/headless/headless.ts',
  package: 'agent/build/package-agent.ts',
  'package:server': 'scripts/package-server.ts',
  sbom: 'scripts/make-sbom.ts',
  sign: 'scripts/sign-release.ts',
  test: 'scripts/test.ts',
  demo: 'scripts/demo.ts',
  bench: 'scripts/bench.ts',
  scale: 'scripts/scale.ts',
  mutate: 'scripts/mutate.ts',
  check: 'scripts/check.ts',
  fix: 'scripts/fix.ts',
  'check:mobile': 'scripts/check-mobile.ts',
  screens: 'scripts/screens.ts',
  generate: 'scripts/generate.ts',
  ship: 'scripts/ship.ts',
}

// These run with the server's packages alone.
const needsServerOnly = new Set(['start', 'admin'])

// What browsers load is built before these, when its sources have changed.
const servesClients = new Set(['start', 'demo', 'package:server'])
// Programs that people wait for: compiled code is kept between their starts, which halves what a start computes. And what is
// measured is what people have.
const keepsCode = new Set(['start', 'admin', 'agent', 'bench', 'test'])
// Programs that run for hours.
const runsLong = new Set(['start', 'agent'])
const buildClients = 'scripts/build-clients.ts'
/** What {@link buildClients} ends with when it has to build and the tools are not installed. */
export const lacksTools = 75

const root = resolve(fileURLToPath(import.meta.url), '../../..')

/** Runs one command and ends this process with its exit code. @param {string[]} argv the command, then its arguments */
export const main = async (argv) => {
  const [name = '', ...args] = argv
  const file = Object.hasOwn(commands, name) ? commands[name] : undefined
  if (file === undefined) return refuse(`Usage: npm run <command>, one of: ${Object.keys(commands).join(', ')}.`, 2)
  if (!existsSync(join(root, file))) return refuse(`"${name}" would run ${file}, which is not in this tree.`, 2)
  try {
    const node = await preparedNode(needsServerOnly.has(name) ? 'server' : 'all')
    const env = commandEnvironment(process.env, join(root, 'node_modules', '.bin'))
    if (keepsCode.has(name)) env.NODE_COMPILE_CACHE ??= join(root, 'node_modules', '.cache', 'node')
    const run = (/** @type {string} */ program, /** @type {string[]} */ more, given = env) =>
      supervise(node, ['--disable-warning=ExperimentalWarning', join(root, program), ...more], {
        cwd: root,
        env: given,
      })
    const builds = servesClients.has(name) && existsSync(join(root, buildClients))
    const build = () => (builds ? run(buildClients, ['companion']) : 0)
    let built = await build()
    if (built === lacksTools) {
      await preparedNode('all')
      built = await build()
    }
    process.exitCode = built === 0 ? await run(file, args, runsLong.has(name) ? withMemorySettings(env) : env) : built
  } catch (problem) {
    refuse(problem instanceof Error ? problem.message : String(problem), 1)
  }
}

/**
 * The Node that runs the command, after an install where the tree has changed since the last one or more is needed.
 * @param {import('./stamp.mjs').Part} part
 */
const preparedNode = async (part) => {
  const wanted = treeStamp(root)
  const ready = () => {
    const known = readStamp(root)
    const enough = known?.stamp === wanted && (known.part === 'all' || part === 'server')
    return enough && existsSync(known.node) ? known.node : undefined
  }
  return (
    ready() ??
    withSetupLock(join(root, '.setup-lock'), async () => {
      // Another first run may have done the work while this one waited.
      const done = ready()
      if (done !== undefined) return done
      // Who once had everything keeps it.
      const all = part === 'all' || readStamp(root)?.part === 'all'
      await installPackages(root, all ? 'all' : 'server')
      const node = readyNode(root)
      writeStamp(root, { stamp: wanted, node, part: all ? 'all' : 'server' })
      return node
    })
  )
}

/** @param {string} message @param {number} code */
const refuse = (message, code) => {
  console.error(message)
  process.exitCode = code
}
