import { configDefaults, defineConfig } from 'vitest/config'
import { LongestFirst } from './scripts/test-run/longest-first.ts'
import { slowFilesLeft } from './scripts/test-run/turns.ts'

/** A test finds its stream by its folder and its name: docs/decisions/0070-streams-of-tests.md. */
const real = '**/*.real.test.ts'
const windows = 'test/renderer/**/*.test.ts'
/** `npm test` alone leaves these to `npm test -- --all`; a path that names one runs it. */
const isEveryday = process.env['TEST_EVERYDAY'] !== undefined
const atNight = isEveryday ? ['**/*.nightly.test.ts'] : []
const inTurn = isEveryday ? slowFilesLeft(Number(process.env['SLOW_TURN']), import.meta.dirname) : []

interface Project {
  readonly include?: readonly string[]
  readonly exclude?: readonly string[]
  readonly globalSetup?: readonly string[]
  readonly isolate?: boolean
  readonly timeout?: number
  /** Whether Node loads its files itself, as it does in use. It knows no JSX. */
  readonly native?: boolean
}

const project = (name: string, root: string, options: Project = {}) => {
  const { include = ['src/**/*.test.ts', 'test/**/*.test.ts'], exclude = [], globalSetup = [], ...rest } = options
  // The files share their processes: most of what a small one takes would be to load everything that it tests again.
  const { isolate = false, timeout = 20_000, native = false } = rest
  // Vitest's own second is too short beside another browser; what never comes is told before the test's own time is over.
  const expect = { poll: { timeout: Math.min(timeout / 2, 20_000) } }
  // A hook may build a client, or begin a browser and a server, beside others that do.
  const times = { testTimeout: timeout, hookTimeout: Math.max(timeout, 120_000), expect }
  const left = inTurn.filter((file) => file.startsWith(`${root}/`)).map((file) => file.slice(root.length + 1))
  const files = { include: [...include], exclude: [...configDefaults.exclude, ...atNight, ...left, ...exclude] }
  const experimental = { viteModuleRunner: !native }
  return { test: { name, root, isolate, experimental, globalSetup: [...globalSetup], ...times, ...files } }
}

const server = { globalSetup: ['./test/test-support/postgres-setup.ts'], timeout: 180_000, native: true }

export default defineConfig({
  test: {
    // Native modules, child processes and signals want processes, not threads. No more than two displays at a time come
    // up reliably; `npm test` runs two streams beside each other (scripts/test-run/streams.ts).
    pool: 'forks',
    maxWorkers: 2,
    sequence: { sequencer: LongestFirst },
    projects: [
      project('protocol', 'shared-protocol', { native: true }),
      project('server', 'server', { ...server, include: ['test/**/*.test.ts'] }),
      project('server-units', 'server', { ...server, include: ['src/**/*.test.ts'] }),
      project('agent', 'agent', { exclude: [real, windows], timeout: 120_000 }),
      project('agent-browser', 'agent', { include: [windows], timeout: 120_000 }),
      // A module that grabs a display keeps to the first one that it has seen.
      project('agent-real', 'agent', { include: [real], isolate: true, timeout: 120_000 }),
      project('shared-ui', 'shared-ui', { include: ['src/**/*.test.ts'] }),
      project('room-web', 'room-web', { include: ['src/**/*.test.ts'] }),
      project('room-web-browser', 'room-web', { include: ['test/browser/**/*.test.ts'], timeout: 60_000 }),
      project('desk', 'desk', { include: ['src/**/*.test.ts'] }),
      project('desk-browser', 'desk', { include: ['test/browser/**/*.test.ts'], timeout: 60_000 }),
      project('companion', 'companion', { include: ['src/**/*.test.ts'] }),
      project('companion-browser', 'companion', { include: ['test/browser/**/*.test.ts'], timeout: 60_000 }),
      project('command-line', 'command-line', { timeout: 180_000, native: true }),
      project('scripts', 'scripts', { include: ['**/*.test.ts'], timeout: 60_000, native: true }),
    ],
  },
})
