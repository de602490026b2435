import { resolve } from 'node:path'
import react from '@vitejs/plugin-react'
import { defineConfig } from 'vite'
import { noScript } from './no-script.ts'

const root = resolve(import.meta.dirname, '..')

/** The page to be built: each is a build of its own, as it becomes one file. */
const page = process.env['ROOM_PAGE'] ?? 'index'

export default defineConfig({
  root,
  // The server may live under a path prefix.
  base: './',
  plugins: [react(), noScript()],
  resolve: {
    // Also for what shared-ui imports, which has no preact of its own.
    dedupe: ['preact'],
    alias: [
      { find: 'react-dom/client', replacement: 'preact/compat/client' },
      { find: 'react/jsx-runtime', replacement: 'preact/jsx-runtime' },
      { find: /^react(-dom)?$/, replacement: 'preact/compat' },
    ],
  },
  build: {
    target: 'es2022',
    // The page's policy allows no data: scripts or styles.
    assetsInlineLimit: 0,
    modulePreload: { polyfill: false },
    reportCompressedSize: false,
    emptyOutDir: false,
    rolldownOptions: {
      input: resolve(root, `${page}.html`),
      // Beside the page, which it is put into: what it refers to is found from there.
      output: { codeSplitting: false, entryFileNames: '[name]-[hash].js' },
    },
  },
  worker: { format: 'es' },
})
