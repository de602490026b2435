import type { World } from '../world.ts'
import { byKey, byUser, type Examples, type MakeExample, ofOrg } from './example.ts'

const newWebhook = { url: 'http://127.0.0.1:9/other', eventTypes: ['session.ended'] }
const ofWebhook: MakeExample = (world) => ({ headers: byKey(world), params: { id: world.webhookId } })
const ofPortalWebhook = async (world: World) => ({
  headers: await byUser(world),
  params: { orgId: world.scope.orgId, endpointId: world.webhookId },
})
/** An organisation may have a limited number of endpoints: those that other examples made go first. */
const withoutSpareWebhooks = async (world: World): Promise<void> => {
  const api = world.server.client(world.key)
  const { data } = await api.call('webhooks.list', { query: { limit: 100 } })
  const spare = data.items.filter(({ url }) => url === newWebhook.url)
  for (const { id } of spare) await api.call('webhooks.delete', { params: { id } })
}
const newWebhookId = async (world: World): Promise<string> => {
  await withoutSpareWebhooks(world)
  const body = { url: newWebhook.url, eventTypes: ['session.ended' as const] }
  return (await world.server.client(world.key).call('webhooks.create', { body })).data.id
}
const ofNewWebhook = async (world: World) => ({ headers: byKey(world), params: { id: await newWebhookId(world) } })
const ofNewPortalWebhook = async (world: World) => ({
  headers: await byUser(world),
  params: { orgId: world.scope.orgId, endpointId: await newWebhookId(world) },
})

export const webhooksExamples = {
  'webhooks.list': (world) => ({ headers: byKey(world) }),
  'webhooks.create': async (world) => {
    await withoutSpareWebhooks(world)
    return { headers: byKey(world), json: newWebhook }
  },
  'webhooks.get': ofWebhook,
  'webhooks.patch': async (world) => ({ ...(await ofNewWebhook(world)), json: { description: 'changed' } }),
  'webhooks.delete': ofNewWebhook,
  'webhooks.rotateSecret': async (world) => ({ ...(await ofWebhook(world)), json: {} }),
  'webhooks.test': async (world) => ({ ...(await ofWebhook(world)), json: {} }),
  'webhooks.deliveries.list': ofWebhook,
  'webhooks.deliveries.replay': async (world) => ({
    headers: byKey(world),
    params: { id: world.webhookId, deliveryId: world.deliveryId },
    json: {},
  }),
  'portal.webhooks.list': ofOrg,
  'portal.webhooks.create': async (world) => {
    await withoutSpareWebhooks(world)
    return { ...(await ofOrg(world)), json: { ...newWebhook, environment: world.scope.environment } }
  },
  'portal.webhooks.patch': async (world) => ({
    ...(await ofNewPortalWebhook(world)),
    json: { description: 'changed' },
  }),
  'portal.webhooks.delete': ofNewPortalWebhook,
  'portal.webhooks.rotateSecret': async (world) => ({ ...(await ofPortalWebhook(world)), json: {} }),
  'portal.webhooks.test': async (world) => ({ ...(await ofPortalWebhook(world)), json: {} }),
  'portal.webhooks.sendExample': async (world) => ({
    ...(await ofPortalWebhook(world)),
    json: { eventType: 'session.ended' },
  }),
  'portal.webhooks.replaySince': async (world) => ({
    ...(await ofPortalWebhook(world)),
    json: { since: '2099-01-01T00:00:00.000Z' },
  }),
  'portal.webhooks.deliveries.list': ofPortalWebhook,
  'portal.webhooks.deliveries.request': async (world) => {
    const { headers, params } = await ofPortalWebhook(world)
    return { headers, params: { ...params, deliveryId: world.deliveryId } }
  },
  'portal.webhooks.deliveries.replay': async (world) => {
    const { headers, params } = await ofPortalWebhook(world)
    return { headers, params: { ...params, deliveryId: world.deliveryId }, json: {} }
  },
} satisfies Examples
