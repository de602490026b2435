import type { EndpointMap } from '@integrity/protocol'
import { type HandlerMap, prepared } from '../../kernel/handler.ts'
import { readDeliveries, replayDelivery, testEndpoint } from './delivery.log.service.ts'
import {
  changeEndpoint,
  checkUrl,
  createEndpoint,
  getEndpoint,
  removeEndpoint,
  rotateSecret,
} from './webhooks.service.ts'
import { listEndpoints } from './webhooks.store.ts'
import { webhookView } from './webhooks.view.ts'

export const webhooksRoutes = {
  'webhooks.list': {
    read: async ({ app, scope, input: { query } }) => {
      const { rows, total } = await listEndpoints(app.db.reader, scope, query)
      return { items: rows.map(webhookView), total, limit: query.limit, offset: query.offset }
    },
  },
  'webhooks.create': prepared<EndpointMap['webhooks.create'], void>({
    prepare: ({ app, input }) => checkUrl(app, input.body.url),
    write: async ({ app, tx, scope, actor, input }) => {
      const { endpoint, secret } = await createEndpoint(app, tx, scope, actor, input.body)
      return { ...webhookView(endpoint), secret }
    },
  }),
  'webhooks.get': {
    read: async ({ app, scope, input }) => webhookView(await getEndpoint(app.db.reader, scope, input.params.id)),
  },
  'webhooks.patch': prepared<EndpointMap['webhooks.patch'], void>({
    prepare: async ({ app, scope, input }) => {
      await getEndpoint(app.db.reader, scope, input.params.id)
      await checkUrl(app, input.body.url)
    },
    write: async ({ app, tx, scope, actor, input }) =>
      webhookView(await changeEndpoint(app, tx, scope, actor, input.params.id, input.body)),
  }),
  'webhooks.delete': {
    write: async ({ app, tx, scope, actor, input }) => removeEndpoint(app, tx, scope, actor, input.params.id),
  },
  'webhooks.rotateSecret': {
    write: async ({ app, tx, scope, actor, input }) => {
      const { endpoint, secret } = await rotateSecret(app, tx, scope, actor, input.params.id)
      return { ...webhookView(endpoint), secret }
    },
  },
  'webhooks.test': {
    write: async ({ app, tx, scope, actor, input }) => testEndpoint(app, tx, scope, actor, input.params.id),
  },
  'webhooks.deliveries.list': {
    read: async ({ app, scope, input }) => readDeliveries(app, scope, input.params.id, input.query),
  },
  'webhooks.deliveries.replay': {
    write: async ({ app, tx, scope, actor, input: { params } }) =>
      replayDelivery(app, tx, scope, actor, params.id, params.deliveryId),
  },
} satisfies Partial<HandlerMap>
