import { resolve } from 'node:path'
import type { InlineConfig } from 'vite'
import { channelNames } from './channel-names.ts'

const agent = resolve(import.meta.dirname, '..')

/** The preloads, which the sandbox takes as CommonJS and each as a single file: so they are built one at a time. */
export const preloadConfig = (outDir: string, name: 'window-preload' | 'capture-preload'): InlineConfig => ({
  root: agent,
  configFile: false,
  logLevel: 'warn',
  plugins: [channelNames()],
  ssr: { noExternal: true, external: ['electron'] },
  build: {
    ssr: resolve(agent, `src/shell/preload/${name}.ts`),
    outDir,
    emptyOutDir: false,
    sourcemap: false,
    minify: false,
    reportCompressedSize: false,
    rolldownOptions: { output: { format: 'cjs', entryFileNames: `${name}.cjs`, codeSplitting: false } },
  },
})
