import type { HandlerMap } from '../../kernel/handler.ts'
import { iso } from '../../kernel/time.ts'
import { getOrg } from './orgs.service.ts'

export const orgsRoutes = {
  'orgs.self': {
    read: async (call) => {
      const { id, name, slug, createdAt } = await getOrg(call, call.scope.orgId)
      return { id, name, slug, createdAt: iso(createdAt) }
    },
  },
  'orgs.me': {
    read: async (call) => {
      const { actor } = call
      const { id, name, slug } = await getOrg(call, call.scope.orgId)
      const { label, environment, scopes } = actor
      return { keyId: actor.id, label, environment, scopes: [...scopes], org: { id, name, slug } }
    },
  },
} satisfies Partial<HandlerMap>
