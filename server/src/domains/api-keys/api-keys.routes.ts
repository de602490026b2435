import type { HandlerMap } from '../../kernel/handler.ts'
import { type List, pageView, readPage } from '../../kernel/paging.ts'
import { createKey, revokeKey, rotateKey } from './api-keys.service.ts'
import { countKeys, type KeyRow, pageOfKeys } from './api-keys.store.ts'
import { keyView } from './api-keys.view.ts'

export const apiKeysRoutes = {
  'portal.apiKeys.list': {
    read: async (call, { query }) => {
      const { reader } = call
      const { orgId } = call.scope
      const { environment, status } = query
      const filters = { environment, status }
      const list: List<KeyRow> = {
        of: ['api-keys', orgId, filters],
        kinds: ['number', 'string'],
        keyOf: ({ createdAt, id }) => [createdAt, id],
        fetch: (stretch) => pageOfKeys(reader, orgId, filters, stretch),
      }
      return pageView(await readPage(list, query), await countKeys(reader, orgId, filters), keyView)
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
