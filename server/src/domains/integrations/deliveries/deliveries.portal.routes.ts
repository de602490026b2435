import type { EndpointMap } from '@integrity/protocol'
import { type HandlerMap, prepared } from '../../../kernel/handler.ts'
import { scopeOfEndpoint } from '../webhooks/webhooks.service.ts'
import { admitExample, sendExample } from './deliveries.examples.service.ts'
import { readDeliveries, readRequest, replayDelivery, testEndpoint } from './deliveries.log.service.ts'
import { replaySince } from './deliveries.replay.service.ts'

export const deliveriesPortalRoutes = {
  'portal.webhooks.test': {
    write: async (call, { params }) => {
      const scope = await scopeOfEndpoint(call, { orgId: call.scope.orgId, id: params.endpointId })
      return testEndpoint({ ...call, scope }, params.endpointId)
    },
  },
  'portal.webhooks.sendExample': prepared<EndpointMap['portal.webhooks.sendExample'], void>({
    prepare: async (call, { params: { endpointId } }) => {
      await scopeOfEndpoint(call, { orgId: call.scope.orgId, id: endpointId })
      await admitExample(call, endpointId)
    },
    write: async (call, { params: { endpointId }, body }) => {
      const scope = await scopeOfEndpoint(call, { orgId: call.scope.orgId, id: endpointId })
      return sendExample({ ...call, scope }, { endpointId, eventType: body.eventType })
    },
  }),
  'portal.webhooks.deliveries.list': {
    read: async (call, { params, query }) => {
      const scope = await scopeOfEndpoint(call, { orgId: call.scope.orgId, id: params.endpointId })
      return readDeliveries({ ...call, scope }, { id: params.endpointId, query })
    },
  },
  'portal.webhooks.deliveries.request': {
    read: async (call, { params: { endpointId, deliveryId } }) => {
      const scope = await scopeOfEndpoint(call, { orgId: call.scope.orgId, id: endpointId })
      return readRequest({ ...call, scope }, { endpointId, deliveryId })
    },
  },
  'portal.webhooks.deliveries.replay': {
    write: async (call, { params }) => {
      const scope = await scopeOfEndpoint(call, { orgId: call.scope.orgId, id: params.endpointId })
      return replayDelivery({ ...call, scope }, { endpointId: params.endpointId, deliveryId: params.deliveryId })
    },
  },
  'portal.webhooks.replaySince': {
    write: async (call, { params: { endpointId }, body }) => {
      const scope = await scopeOfEndpoint(call, { orgId: call.scope.orgId, id: endpointId })
      return { replayed: await replaySince({ ...call, scope }, { endpointId, since: Date.parse(body.since) }) }
    },
  },
} satisfies Partial<HandlerMap>
