import { resolve } from 'node:path'
import react from '@vitejs/plugin-react'
import { defineConfig } from 'vite'
import { endpointTable } from './endpoint-table.ts'

export default defineConfig({
  root: resolve(import.meta.dirname, '..'),
  // The server may live under a path prefix.
  base: './',
  plugins: [react(), endpointTable()],
  build: {
    target: 'es2022',
    // The page's policy allows no data: scripts or styles.
    assetsInlineLimit: 0,
    modulePreload: { polyfill: false },
    reportCompressedSize: false,
  },
  worker: { format: 'es' },
})
