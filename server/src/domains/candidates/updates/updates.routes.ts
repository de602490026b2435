import type { HandlerMap } from '../../../kernel/handler.ts'
import { readManifest, readSecurityPolicy } from './updates.service.ts'

export const updatesRoutes = {
  'updates.manifest': {
    read: (call, { query }) => readManifest(call, { app: query.app, channel: query.channel }),
  },
  'updates.securityPolicy': {
    read: (call) => readSecurityPolicy(call),
  },
} satisfies Partial<HandlerMap>
