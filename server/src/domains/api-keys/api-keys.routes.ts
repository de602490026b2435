import type { HandlerMap } from '../../kernel/handler.ts'
import { createKey, revokeKey, rotateKey } from './api-keys.service.ts'
import { listKeys } from './api-keys.store.ts'
import { keyView } from './api-keys.view.ts'

export const apiKeysRoutes = {
  'portal.apiKeys.list': {
    read: async (call, { query }) => {
      const { rows, total } = await listKeys(call.reader, call.scope.orgId, query, query)
      return { items: rows.map(keyView), total, limit: query.limit, offset: query.offset }
    },
  },
  'portal.apiKeys.create': {
    write: async (call, input) => {
      const { key, token } = await createKey(call, input.body)
      return { ...keyView(key), token }
    },
  },
  'portal.apiKeys.rotate': {
    write: async (call, input) => {
      const { key, token } = await rotateKey(call, input.params.keyId)
      return { ...keyView(key), token }
    },
  },
  'portal.apiKeys.revoke': {
    write: async (call, input) => {
      const { id, revokedAt } = await revokeKey(call, input.params.keyId)
      return { id, deleted: true as const, revokedAt: new Date(revokedAt).toISOString() }
    },
  },
} satisfies Partial<HandlerMap>
