import { resolve } from 'node:path'
import react from '@vitejs/plugin-react'
import type { UserConfig } from 'vite'
import { type NamedPages, noScript } from './no-script.ts'

interface PageBuild {
  /** The client's folder. */
  readonly root: string
  /** The one to be built: each is a build of its own, as it becomes one file. Without `.html`. */
  readonly page: string
  readonly pages: NamedPages
  /** The package that stands in for React, which is a dependency of the client: 45 kB less of what is loaded first. */
  readonly drawnBy: string
  /** What it imports later is loaded later, from `assets`; without it, the page is one script. */
  readonly split?: boolean
}

/** How Vite builds a page that the server gives out. */
export const pageConfig = ({ root, page, pages, drawnBy, split = false }: PageBuild): UserConfig => ({
  root,
  // The server may live under a path prefix.
  base: './',
  plugins: [react(), noScript(pages)],
  resolve: {
    // Found from the client, also where this package asks for it.
    dedupe: [drawnBy],
    alias: [
      { find: 'react-dom/client', replacement: `${drawnBy}/compat/client` },
      { find: 'react/jsx-runtime', replacement: `${drawnBy}/jsx-runtime` },
      { find: /^react(-dom)?$/, replacement: `${drawnBy}/compat` },
    ],
  },
  build: {
    target: 'es2022',
    // The page's policy allows no data: scripts or styles.
    assetsInlineLimit: 0,
    // What it would name is found from the page, whose address may lie deeper than its scripts.
    modulePreload: split ? false : { polyfill: false },
    // A script that is loaded later would ask for the styles again, which stand in the page.
    cssCodeSplit: !split,
    reportCompressedSize: false,
    emptyOutDir: false,
    rolldownOptions: {
      input: resolve(root, `${page}.html`),
      output: split
        ? { entryFileNames: 'assets/[name]-[hash].js', chunkFileNames: 'assets/[name]-[hash].js' }
        : // Beside the page, which it is put into: what it refers to is found from there.
          { codeSplitting: false, entryFileNames: '[name]-[hash].js' },
    },
  },
  worker: { format: 'es' },
})
