import { defineConfig } from 'vitest/config'
import { LongestFirst } from './scripts/testing/longest-first.ts'

export default defineConfig({
  test: {
    // Native modules, child processes and signals want a process of their own. Many tests wait for real time (sound, film,
    // receivers that hang), so that three keep two cores busy.
    pool: 'forks',
    maxWorkers: 3,
    sequence: { sequencer: LongestFirst },
    projects: [
      { test: { name: 'protocol', root: 'shared-protocol', include: ['src/**/*.test.ts', 'test/**/*.test.ts'] } },
      {
        test: {
          name: 'server',
          root: 'server',
          include: ['src/**/*.test.ts', 'test/**/*.test.ts'],
          globalSetup: ['./test/support/postgres-setup.ts'],
          testTimeout: 60_000,
          hookTimeout: 60_000,
        },
      },
      {
        test: {
          name: 'agent',
          root: 'agent',
          include: ['src/**/*.test.ts', 'test/**/*.test.ts'],
          testTimeout: 120_000,
          hookTimeout: 120_000,
        },
      },
      { test: { name: 'room-web', root: 'room-web', include: ['src/**/*.test.ts'] } },
      { test: { name: 'companion', root: 'companion', include: ['src/**/*.test.ts'] } },
      { test: { name: 'scripts', root: 'scripts', include: ['**/*.test.ts'], testTimeout: 60_000 } },
    ],
  },
})
