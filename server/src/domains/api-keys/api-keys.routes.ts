import type { HandlerMap } from '../../kernel/handler.ts'
import { createKey, revokeKey, rotateKey } from './api-keys.service.ts'
import { listKeys } from './api-keys.store.ts'
import { keyView } from './api-keys.view.ts'

export const apiKeysRoutes = {
  'portal.apiKeys.list': {
    read: async ({ app, scope, input: { query } }) => {
      const { rows, total } = await listKeys(app.db.reader, scope.orgId, query, query)
      return { items: rows.map(keyView), total, limit: query.limit, offset: query.offset }
    },
  },
  'portal.apiKeys.create': {
    write: async ({ app, tx, actor, input }) => {
      const { key, token } = await createKey(app, tx, actor, input.body)
      return { ...keyView(key), token }
    },
  },
  'portal.apiKeys.rotate': {
    write: async ({ app, tx, actor, input }) => {
      const { key, token } = await rotateKey(app, tx, actor, input.params.keyId)
      return { ...keyView(key), token }
    },
  },
  'portal.apiKeys.revoke': {
    write: async ({ app, tx, actor, input }) => {
      const { id, revokedAt } = await revokeKey(app, tx, actor, input.params.keyId)
      return { id, deleted: true as const, revokedAt: new Date(revokedAt).toISOString() }
    },
  },
} satisfies Partial<HandlerMap>
