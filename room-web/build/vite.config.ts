import { resolve } from 'node:path'
import { pageConfig } from '@integrity/shared-ui/build/page-config'
import { defineConfig } from 'vite'

export default defineConfig(
  pageConfig({
    root: resolve(import.meta.dirname, '..'),
    page: process.env['BUILT_PAGE'] ?? 'index',
    pages: {
      '/index.html': 'room',
      '/invitation.html': 'invitation',
      '/requests.html': 'requests',
      '/access.html': 'access',
      '/password.html': 'password',
      '/invite.html': 'invite',
      '/interviewer.html': 'interviewer',
      '/preview.html': 'preview',
    },
    drawnBy: 'preact',
  }),
)
