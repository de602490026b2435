import type { EndpointMap } from '@integrity/protocol'
import { type HandlerMap, prepared } from '../../kernel/handler.ts'
import { readDeliveries, replayDelivery, testEndpoint } from './delivery.log.service.ts'
import {
  changeEndpoint,
  checkUrl,
  createEndpoint,
  removeEndpoint,
  rotateSecret,
  scopeOfEndpoint,
} from './webhooks.service.ts'
import { listEndpoints, listEndpointsOfBothEnvironments } from './webhooks.store.ts'
import { webhookView } from './webhooks.view.ts'

/** The same services as for API keys. A person manages both environments: each call finds out where its endpoint is. */
export const webhooksPortalRoutes = {
  'portal.webhooks.list': {
    read: async ({ app, scope: { orgId }, input: { query } }) => {
      const { environment, ...page } = query
      const { rows, total } = environment
        ? await listEndpoints(app.db.reader, { orgId, environment }, page)
        : await listEndpointsOfBothEnvironments(app.db.reader, orgId, page)
      return { items: rows.map(webhookView), total, ...page }
    },
  },
  'portal.webhooks.create': prepared<EndpointMap['portal.webhooks.create'], void>({
    prepare: ({ app, input }) => checkUrl(app, input.body.url),
    write: async ({ app, tx, scope: { orgId }, actor, input: { body } }) => {
      const { environment, ...wanted } = body
      const { endpoint, secret } = await createEndpoint(app, tx, { orgId, environment }, actor, wanted)
      return { ...webhookView(endpoint), secret }
    },
  }),
  'portal.webhooks.patch': prepared<EndpointMap['portal.webhooks.patch'], void>({
    prepare: async ({ app, scope: { orgId }, input }) => {
      await scopeOfEndpoint(app.db.reader, orgId, input.params.endpointId)
      await checkUrl(app, input.body.url)
    },
    write: async ({ app, tx, scope: { orgId }, actor, input: { params, body } }) => {
      const scope = await scopeOfEndpoint(tx, orgId, params.endpointId)
      return webhookView(await changeEndpoint(app, tx, scope, actor, params.endpointId, body))
    },
  }),
  'portal.webhooks.delete': {
    write: async ({ app, tx, scope: { orgId }, actor, input: { params } }) => {
      const scope = await scopeOfEndpoint(tx, orgId, params.endpointId)
      return removeEndpoint(app, tx, scope, actor, params.endpointId)
    },
  },
  'portal.webhooks.rotateSecret': {
    write: async ({ app, tx, scope: { orgId }, actor, input: { params } }) => {
      const scope = await scopeOfEndpoint(tx, orgId, params.endpointId)
      const { endpoint, secret } = await rotateSecret(app, tx, scope, actor, params.endpointId)
      return { ...webhookView(endpoint), secret }
    },
  },
  'portal.webhooks.test': {
    write: async ({ app, tx, scope: { orgId }, actor, input: { params } }) => {
      const scope = await scopeOfEndpoint(tx, orgId, params.endpointId)
      return testEndpoint(app, tx, scope, actor, params.endpointId)
    },
  },
  'portal.webhooks.deliveries.list': {
    read: async ({ app, scope: { orgId }, input: { params, query } }) => {
      const scope = await scopeOfEndpoint(app.db.reader, orgId, params.endpointId)
      return readDeliveries(app, scope, params.endpointId, query)
    },
  },
  'portal.webhooks.deliveries.replay': {
    write: async ({ app, tx, scope: { orgId }, actor, input: { params } }) => {
      const scope = await scopeOfEndpoint(tx, orgId, params.endpointId)
      return replayDelivery(app, tx, scope, actor, params.endpointId, params.deliveryId)
    },
  },
} satisfies Partial<HandlerMap>
