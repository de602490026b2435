import type { EndpointMap } from '@integrity/protocol'
import { type HandlerMap, prepared } from '../../../kernel/handler.ts'
import { environments } from '../../../kernel/identity/scope.ts'
import { pageView } from '../../../kernel/paging.ts'
import {
  changeEndpoint,
  checkUrl,
  createEndpoint,
  listEndpoints,
  removeEndpoint,
  rotateSecret,
  scopeOfEndpoint,
} from './webhooks.service.ts'
import { webhookView } from './webhooks.view.ts'

/** The same services as for API keys. A person manages both environments: each call finds out where its endpoint is. */
export const webhooksPortalRoutes = {
  'portal.webhooks.list': {
    read: async (call, { query }) => {
      const of = query.environment === undefined ? environments : [query.environment]
      const { page, total } = await listEndpoints(call, { of, query })
      return pageView(page, total, (endpoint) => webhookView(endpoint, call.clock.now()))
    },
  },
  'portal.webhooks.create': prepared<EndpointMap['portal.webhooks.create'], void>({
    prepare: (call, input) => checkUrl(call, input.body.url),
    write: async (call, { body }) => {
      const { environment, ...wanted } = body
      const { endpoint, secret } = await createEndpoint(
        { ...call, scope: { orgId: call.scope.orgId, environment } },
        wanted,
      )
      return { ...webhookView(endpoint, call.clock.now()), secret }
    },
  }),
  'portal.webhooks.patch': prepared<EndpointMap['portal.webhooks.patch'], void>({
    prepare: async (call, input) => {
      await scopeOfEndpoint(call, { orgId: call.scope.orgId, id: input.params.endpointId })
      await checkUrl(call, input.body.url)
    },
    write: async (call, { params, body }) => {
      const scope = await scopeOfEndpoint(call, { orgId: call.scope.orgId, id: params.endpointId })
      const changed = await changeEndpoint({ ...call, scope }, { id: params.endpointId, patch: body })
      return webhookView(changed, call.clock.now())
    },
  }),
  'portal.webhooks.delete': {
    write: async (call, { params }) => {
      const scope = await scopeOfEndpoint(call, { orgId: call.scope.orgId, id: params.endpointId })
      return removeEndpoint({ ...call, scope }, params.endpointId)
    },
  },
  'portal.webhooks.rotateSecret': {
    write: async (call, { params, body }) => {
      const scope = await scopeOfEndpoint(call, { orgId: call.scope.orgId, id: params.endpointId })
      const rotation = { id: params.endpointId, ...body }
      const { endpoint, secret } = await rotateSecret({ ...call, scope }, rotation)
      return { ...webhookView(endpoint, call.clock.now()), secret }
    },
  },
} satisfies Partial<HandlerMap>
