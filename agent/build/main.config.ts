import { resolve } from 'node:path'
import type { InlineConfig } from 'vite'
import { shippedPackages } from './shipped-packages.ts'

const agent = resolve(import.meta.dirname, '..')

/** What runs as a process of its own: each a file in the same folder, under the name that starts it. */
export const processEntries = {
  main: resolve(agent, 'src/shell/main/main.ts'),
  'sherpa-process': resolve(agent, 'src/machine/speech/sherpa-process.ts'),
} as const

/** A process: one ES module with everything in it but Electron and what cannot be bundled. */
export const mainConfig = (outDir: string, name: keyof typeof processEntries): InlineConfig => ({
  root: agent,
  configFile: false,
  logLevel: 'warn',
  ssr: { noExternal: true, target: 'node', external: ['electron', ...shippedPackages] },
  build: {
    ssr: processEntries[name],
    outDir,
    emptyOutDir: false,
    target: 'node24',
    sourcemap: false,
    minify: false,
    reportCompressedSize: false,
    rolldownOptions: {
      // ws looks for these and does without.
      external: ['bufferutil', 'utf-8-validate'],
      output: { entryFileNames: `${name}.js`, codeSplitting: false },
    },
  },
})
