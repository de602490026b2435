import { resolve } from 'node:path'
import { defineConfig } from 'vite'

/** The hidden page that records by the browser's means: `agent/dist/capture-page`. */
export default defineConfig({
  root: resolve(import.meta.dirname, '../src/shell/capture-page'),
  base: './',
  build: {
    outDir: resolve(import.meta.dirname, '../dist/capture-page'),
    emptyOutDir: true,
    target: 'chrome140',
    // The page's policy allows no data: scripts.
    assetsInlineLimit: 0,
    modulePreload: { polyfill: false },
    reportCompressedSize: false,
  },
  worker: { format: 'es' },
})
