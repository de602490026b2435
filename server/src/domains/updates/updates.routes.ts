import type { HandlerMap } from '../../kernel/handler.ts'
import { readManifest, readSecurityPolicy } from './updates.service.ts'

export const updatesRoutes = {
  'updates.manifest': {
    read: ({ app, input: { query } }) => readManifest(app.db.reader, query.app, query.channel),
  },
  'updates.securityPolicy': {
    read: ({ app }) => readSecurityPolicy(app.db.reader),
  },
} satisfies Partial<HandlerMap>
