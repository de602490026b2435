import { agent, user } from '../../../core/auth.ts'
import { defineEndpoint } from '../../../core/endpoint.ts'
import { liveMessage, liveQuery, liveSnapshot, liveWall, liveWallQuery } from './live.schemas.ts'

export const liveEndpoints = [
  defineEndpoint({
    id: 'sessions.live',
    grants: 'object_link',
    method: 'GET',
    path: '/v1/sessions/{id}/live',
    summary: 'The current state: recent events, permissions, lanes, latest frame; poll with `since`.',
    details: 'While the session goes on, a look is audited, once for a person and minute, and shown to the candidate.',
    auth: [user('session.view')],
    sessionParam: 'id',
    query: liveQuery,
    response: liveSnapshot,
    success: [200],
    effect: 'read',
  }),
  defineEndpoint({
    id: 'portal.live.list',
    method: 'GET',
    path: '/v1/orgs/{orgId}/sessions/live',
    summary:
      'The sessions of both environments that go on right now, newest first: lanes, newest still, phone, viewers.',
    details:
      'It shows no picture and is no look at a session: that is `sessions.live`, a reel, or the still by its id.',
    auth: [user('session.view')],
    query: liveWallQuery,
    response: liveWall,
    success: [200],
    effect: 'read',
    additive: true,
  }),
] as const

/**
 * The agent's live socket: a WebSocket that only the server speaks on, so that a change of the policy reaches the agent at
 * once. It is a hint beside the polling of the config, never instead of it. It is no endpoint of the registry: nothing of it
 * is a request with an answer. Refusals of the upgrade are ordinary answers with the service's envelope.
 */
export const liveSocket = defineEndpoint({
  id: 'sessions.socket',
  method: 'GET',
  path: '/v1/sessions/{id}/socket',
  summary: "The agent's live socket.",
  auth: [agent],
  sessionParam: 'id',
  response: liveMessage,
  success: [200],
  effect: 'read',
})
