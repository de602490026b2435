import type { HandlerMap } from '../../../kernel/handler.ts'
import { readDeliveries, replayDelivery, testEndpoint } from './deliveries.log.service.ts'

export const deliveriesRoutes = {
  'webhooks.test': {
    write: async (call, input) => testEndpoint(call, input.params.id),
  },
  'webhooks.deliveries.list': {
    read: async (call, input) => readDeliveries(call, { id: input.params.id, query: input.query }),
  },
  'webhooks.deliveries.replay': {
    write: async (call, { params }) => replayDelivery(call, { endpointId: params.id, deliveryId: params.deliveryId }),
  },
} satisfies Partial<HandlerMap>
