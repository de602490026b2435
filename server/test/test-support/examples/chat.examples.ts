import { randomBytes } from 'node:crypto'
import { haveSlack, sharedChatDouble } from '../chat-double.ts'
import { oncePerWorld, type World } from '../world.ts'
import { byUser, type Examples, ofOrg } from './example.ts'

const withSlack = async (world: World) => {
  const double = await sharedChatDouble()
  haveSlack(world.server, double)
  return double
}

/** A connected app with a token that is good; every one is of a workspace of its own. */
const connected = async (world: World) => {
  const { app } = world.server
  const double = await withSlack(world)
  const { orgId } = world.scope
  const id = app.newId('cht')
  const token = `xoxb-${randomBytes(8).toString('hex')}`
  double.tokens.add(token)
  const secret = app.keyring.wrap(Buffer.from(token), `chat:${orgId}:${id}`)
  await app.db.transact((tx) =>
    tx.run(
      `INSERT INTO chat_integrations (org_id, integration_id, provider, workspace_id, workspace, wrapped_secret, status,
         channel_id, channel_name, events, show_candidate_label, above_threshold, connected_at)
       VALUES (?, ?, 'slack', ?, 'Harbour', ?, 'connected', 'C0GENERAL', 'general', '', 0, 0, ?)`,
      [orgId, id, token, secret, app.clock.now()],
    ),
  )
  return id
}
const ofApp = async (world: World) => {
  const { headers, params } = await ofOrg(world)
  return { headers, params: { ...params, integrationId: await connected(world) } }
}

const announced = async (world: World, integrationId: string) => {
  const { app } = world.server
  const { orgId } = world.scope
  const id = app.newId('cdl')
  const now = app.clock.now()
  await app.db.transact(async (tx) => {
    await tx.run(
      `INSERT INTO chat_deliveries (org_id, delivery_id, integration_id, environment, event_type, session_id, status,
         attempts, created_at, finished_at) VALUES (?, ?, ?, 'live', 'session.ended', ?, 'delivered', 1, ?, ?)`,
      [orgId, id, integrationId, world.live.id, now, now],
    )
    await tx.run(
      `INSERT INTO chat_delivery_counts (org_id, integration_id, status, n) VALUES (?, ?, 'delivered', 1)
       ON CONFLICT (org_id, integration_id, status) DO UPDATE SET n = chat_delivery_counts.n + 1`,
      [orgId, integrationId],
    )
  })
  return id
}

export const chatExamples = {
  'portal.chat.capabilities': ofOrg,
  'portal.chat.list': ofOrg,
  'portal.chat.install': async (world) => {
    await withSlack(world)
    return { ...(await ofOrg(world)), json: { provider: 'slack' } }
  },
  'chat.callback': async (world) => {
    await withSlack(world)
    // Below the ceiling of apps.
    await world.server.app.db.transact((tx) =>
      tx.run('UPDATE chat_integrations SET disconnected_at = 1 WHERE org_id = ? AND disconnected_at IS NULL', [
        world.scope.orgId,
      ]),
    )
    const { url } = (
      await world.server.client().call('portal.chat.install', { ...(await ofOrg(world)), body: { provider: 'slack' } })
    ).data
    const state = new URL(url ?? '').searchParams.get('state') ?? ''
    return { headers: await byUser(world), query: { state, code: `code-${state}` } }
  },
  'portal.chat.channels': ofApp,
  'portal.chat.update': async (world) => ({
    ...(await ofApp(world)),
    json: { channelId: 'G00HIRING', events: ['session.ended'] },
  }),
  'portal.chat.remove': ofApp,
  'portal.chat.deliveries': oncePerWorld(async (world) => {
    const example = await ofApp(world)
    for (let n = 0; n < 3; n++) await announced(world, example.params.integrationId)
    return example
  }),
  'portal.chat.replay': async (world) => {
    const { headers, params } = await ofApp(world)
    return { headers, params: { ...params, deliveryId: await announced(world, params.integrationId) } }
  },
} satisfies Examples
