import { defineConfig } from 'vitest/config'
import { LongestFirst } from './scripts/test-run/longest-first.ts'

/**
 * The files share their processes: most of what a small one takes would be to load everything that it tests anew. Not the
 * agent's: a module that grabs a display keeps to the first one that it has seen.
 */
const together = { isolate: false }

/** For the projects whose tests start many servers. */
const sqliteSetup = `${import.meta.dirname}/server/test/test-support/sqlite-setup.ts`

/** A client's pages, served by the server, in a real browser. */
const inBrowser = (client: string) => ({
  test: {
    name: `${client}-browser`,
    root: client,
    ...together,
    include: ['test/browser/**/*.test.ts'],
    globalSetup: [sqliteSetup],
    testTimeout: 60_000,
    hookTimeout: 60_000,
  },
})

export default defineConfig({
  test: {
    // Native modules, child processes and signals want processes, not threads. No more than two displays at a time come
    // up reliably; `npm test` runs the server's files beside the others (scripts/test-run/run-vitest.ts).
    pool: 'forks',
    maxWorkers: 2,
    sequence: { sequencer: LongestFirst },
    projects: [
      {
        test: {
          name: 'protocol',
          root: 'shared-protocol',
          ...together,
          include: ['src/**/*.test.ts', 'test/**/*.test.ts'],
        },
      },
      {
        test: {
          name: 'server',
          root: 'server',
          ...together,
          include: ['src/**/*.test.ts', 'test/**/*.test.ts'],
          globalSetup: [sqliteSetup, './test/test-support/postgres-setup.ts'],
          testTimeout: 60_000,
          hookTimeout: 60_000,
        },
      },
      {
        test: {
          name: 'agent',
          root: 'agent',
          include: ['src/**/*.test.ts', 'test/**/*.test.ts'],
          globalSetup: [sqliteSetup],
          testTimeout: 120_000,
          hookTimeout: 120_000,
        },
      },
      { test: { name: 'room-web', root: 'room-web', include: ['src/**/*.test.ts'] } },
      inBrowser('room-web'),
      { test: { name: 'companion', root: 'companion', include: ['src/**/*.test.ts'] } },
      inBrowser('companion'),
      { test: { name: 'scripts', root: 'scripts', include: ['**/*.test.ts'], testTimeout: 60_000 } },
    ],
  },
})
