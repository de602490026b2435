import type { EndpointMap } from '@integrity/protocol'
import { type HandlerMap, prepared } from '../../../kernel/handler.ts'
import { pageView } from '../../../kernel/paging.ts'
import {
  changeEndpoint,
  checkUrl,
  createEndpoint,
  getEndpoint,
  listEndpoints,
  removeEndpoint,
  rotateSecret,
} from './webhooks.service.ts'
import { webhookView } from './webhooks.view.ts'

export const webhooksRoutes = {
  'webhooks.list': {
    read: async (call, { query }) => {
      const { page, total } = await listEndpoints(call, { of: [call.scope.environment], query })
      return pageView(page, total, (endpoint) => webhookView(endpoint, call.clock.now()))
    },
  },
  'webhooks.create': prepared<EndpointMap['webhooks.create'], void>({
    prepare: (call, input) => checkUrl(call, input.body.url),
    write: async (call, input) => {
      const { endpoint, secret } = await createEndpoint(call, input.body)
      return { ...webhookView(endpoint, call.clock.now()), secret }
    },
  }),
  'webhooks.get': {
    read: async (call, input) => webhookView(await getEndpoint(call, input.params.id), call.clock.now()),
  },
  'webhooks.patch': prepared<EndpointMap['webhooks.patch'], void>({
    prepare: async (call, input) => {
      await getEndpoint(call, input.params.id)
      await checkUrl(call, input.body.url)
    },
    write: async (call, input) =>
      webhookView(await changeEndpoint(call, { id: input.params.id, patch: input.body }), call.clock.now()),
  }),
  'webhooks.delete': {
    write: async (call, input) => removeEndpoint(call, input.params.id),
  },
  'webhooks.rotateSecret': {
    write: async (call, input) => {
      const { endpoint, secret } = await rotateSecret(call, { id: input.params.id, ...input.body })
      return { ...webhookView(endpoint, call.clock.now()), secret }
    },
  },
} satisfies Partial<HandlerMap>
