import type { HandlerMap } from '../../kernel/handler.ts'
import { pageView } from '../../kernel/paging.ts'
import { createKey, listKeys, revokeKey, rotateKey } from './api-keys.service.ts'
import { keyView } from './api-keys.view.ts'

export const apiKeysRoutes = {
  'portal.apiKeys.list': {
    read: async (call, { query }) => {
      const { page, total } = await listKeys(call, query)
      return pageView(page, total, keyView)
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
