import { existsSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { fileURLToPath } from 'node:url'
import { commandEnvironment } from './environment.mjs'
import { installPackages, readyNode } from './install.mjs'
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
  test: 'scripts/test.ts',
  demo: 'scripts/demo.ts',
  bench: 'scripts/bench.ts',
  scale: 'scripts/scale.ts',
  check: 'scripts/check.ts',
  fix: 'scripts/fix.ts',
  'check:mobile': 'scripts/check-mobile.ts',
  screens: 'scripts/screens.ts',
  generate: 'scripts/generate.ts',
}

// What browsers load is built before these, when its sources have changed.
const servesClients = new Set(['start', 'test', 'demo', 'package:server'])
// Programs that people wait for: compiled code is kept between their starts, which halves what a start computes.
const keepsCode = new Set(['start', 'admin', 'agent'])
const buildClients = 'scripts/build-clients.ts'

const root = resolve(fileURLToPath(import.meta.url), '../../..')

/** Runs one command and ends this process with its exit code. @param {string[]} argv the command, then its arguments */
export const main = async (argv) => {
  const [name = '', ...args] = argv
  const file = Object.hasOwn(commands, name) ? commands[name] : undefined
  if (file === undefined) return refuse(`Usage: npm run <command>, one of: ${Object.keys(commands).join(', ')}.`, 2)
  if (!existsSync(join(root, file))) return refuse(`"${name}" would run ${file}, which is not in this tree.`, 2)
  try {
    const node = await preparedNode()
    const env = commandEnvironment(process.env, join(root, 'node_modules', '.bin'))
    if (keepsCode.has(name)) env.NODE_COMPILE_CACHE ??= join(root, 'node_modules', '.cache', 'node')
    const run = (/** @type {string} */ program, /** @type {string[]} */ more) =>
      supervise(node, ['--disable-warning=ExperimentalWarning', join(root, program), ...more], { cwd: root, env })
    const builds = servesClients.has(name) && existsSync(join(root, buildClients))
    // Tests of the phone's pages build them themselves.
    const built = builds ? await run(buildClients, name === 'test' ? [] : ['companion']) : 0
    process.exitCode = built === 0 ? await run(file, args) : built
  } catch (problem) {
    refuse(problem instanceof Error ? problem.message : String(problem), 1)
  }
}

/** The Node that runs the command, after an install where the tree has changed since the last one. */
const preparedNode = async () => {
  const wanted = treeStamp(root)
  const known = readStamp(root)
  if (known?.stamp === wanted && existsSync(known.node)) return known.node
  return withSetupLock(join(root, '.setup-lock'), async () => {
    // Another first run may have done the work while this one waited.
    const done = readStamp(root)
    if (done?.stamp === wanted && existsSync(done.node)) return done.node
    await installPackages(root)
    const node = readyNode(root)
    writeStamp(root, { stamp: wanted, node })
    return node
  })
}

/** @param {string} message @param {number} code */
const refuse = (message, code) => {
  console.error(message)
  process.exitCode = code
}
