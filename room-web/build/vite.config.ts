import { resolve } from 'node:path'
import react from '@vitejs/plugin-react'
import { defineConfig } from 'vite'
import { noScript } from './no-script.ts'

const root = resolve(import.meta.dirname, '..')

export default defineConfig({
  root,
  // The server may live under a path prefix.
  base: './',
  plugins: [react(), noScript()],
  resolve: {
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
    // A page loads its own script and one of what pages share: a browser asks for six files of a server at a time, and whatever
    // comes after them costs a phone's network one more way there and back.
    rolldownOptions: {
      input: ['index', 'invitation', 'requests', 'access', 'password', 'invite', 'account'].map((name) =>
        resolve(root, `${name}.html`),
      ),
      output: { codeSplitting: { groups: [{ name: 'shared', test: /\.[cm]?[jt]sx?$/, minShareCount: 2 }] } },
    },
  },
  worker: { format: 'es' },
})
