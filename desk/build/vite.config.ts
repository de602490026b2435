import { resolve } from 'node:path'
import { pageConfig } from '@integrity/shared-ui/build/page-config'
import { defineConfig } from 'vite'

const page = process.env['BUILT_PAGE'] ?? 'index'

export default defineConfig(
  pageConfig({
    root: resolve(import.meta.dirname, '..'),
    page,
    pages: { '/index.html': 'desk', '/account.html': 'account' },
    drawnBy: 'preact',
    // Its rooms are loaded when they are entered.
    split: page === 'index',
  }),
)
