import type { HandlerMap } from '../../../kernel/handler.ts'
import { pageView } from '../../../kernel/paging.ts'
import { createKey, lastUseOf, listKeys, recentRequestsOfKey, revokeKey, rotateKey } from './api-keys.service.ts'
import { keyView, requestView } from './api-keys.view.ts'

export const apiKeysRoutes = {
  'portal.apiKeys.list': {
    read: async (call, { query }) => {
      const { page, total, uses } = await listKeys(call, query)
      return pageView(page, total, (key) => keyView(key, uses.get(key.id)))
    },
  },
  'portal.apiKeys.create': {
    write: async (call, input) => {
      const { key, token } = await createKey(call, input.body)
      return { ...keyView(key, undefined), token }
    },
  },
  'portal.apiKeys.requests': {
    read: async (call, { params }) => ({
      items: (await recentRequestsOfKey(call, params.keyId)).map(requestView),
    }),
  },
  'portal.apiKeys.rotate': {
    write: async (call, input) => {
      const { key, token } = await rotateKey(call, input.params.keyId)
      return { ...keyView(key, await lastUseOf(call, key.id)), token }
    },
  },
  'portal.apiKeys.revoke': {
    write: async (call, input) => {
      const { id, revokedAt } = await revokeKey(call, input.params.keyId)
      return { id, deleted: true as const, revokedAt: new Date(revokedAt).toISOString() }
    },
  },
} satisfies Partial<HandlerMap>
