import { resolve } from 'node:path'
import react from '@vitejs/plugin-react'
import { defineConfig } from 'vite'

/** The window's page: plain files that load nothing from elsewhere. */
export default defineConfig({
  root: resolve(import.meta.dirname, '../src/shell/renderer'),
  base: './',
  plugins: [react()],
  // Also where a test builds it, or React would come with its development half.
  define: { 'process.env.NODE_ENV': '"production"' },
  oxc: { jsx: { development: false } },
  build: {
    outDir: resolve(import.meta.dirname, '../dist/renderer'),
    emptyOutDir: true,
    target: 'es2024',
    // The page's policy allows no data: scripts or styles.
    assetsInlineLimit: 0,
    modulePreload: { polyfill: false },
    reportCompressedSize: false,
  },
})
