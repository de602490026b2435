import * as z from 'zod'
import { anyAccount, user } from '../../../core/auth.ts'
import { defineEndpoint } from '../../../core/endpoint.ts'
import { listOf, paging, wholePagingQuery } from '../../../core/primitives.ts'
import * as s from './chat.schemas.ts'

const base = '/v1/orgs/{orgId}/integrations/comms'
const one = `${base}/{integrationId}` as const
const read = { method: 'GET', auth: [user('integration.manage')], success: [200], effect: 'read' } as const
const write = { auth: [user('integration.manage')], effect: 'write' } as const

/** Announcements in a team's chat. */
export const chatEndpoints = [
  defineEndpoint({
    ...read,
    id: 'portal.chat.capabilities',
    path: `${base}/capabilities`,
    summary: 'Which chat platforms can be installed, and which events they can announce.',
    response: s.chatCapabilities,
  }),
  defineEndpoint({
    ...read,
    id: 'portal.chat.list',
    path: base,
    summary: 'The chat apps of the organisation, never their tokens.',
    query: wholePagingQuery,
    response: s.chatIntegrations,
  }),
  defineEndpoint({
    ...write,
    id: 'portal.chat.install',
    method: 'POST',
    path: `${base}/install`,
    summary: "Begin an install: answers the address that the admin's browser opens next, or that the install is done.",
    details: 'Installing the same workspace again renews its access; channel and choices stay.',
    body: s.chatInstall,
    response: s.chatInstalled,
    success: [201],
    errors: ['conflict', 'service_unavailable'],
  }),
  defineEndpoint({
    id: 'chat.callback',
    visited: true,
    method: 'GET',
    path: '/v1/integrations/comms/callback/slack',
    additive: true,
    summary: "Where Slack sends the admin's browser back to.",
    details: 'Good once, for ten minutes, and for the person who began the install.',
    auth: [anyAccount],
    query: s.chatCallbackQuery,
    response: s.chatReturned,
    success: [302],
    errors: ['conflict', 'service_unavailable'],
    effect: 'write',
    usesUp: true,
  }),
  defineEndpoint({
    ...read,
    id: 'portal.chat.channels',
    path: `${one}/channels`,
    summary: 'The channels that the app can post into.',
    response: s.chatChannels,
    errors: ['not_found', 'conflict', 'service_unavailable'],
  }),
  defineEndpoint({
    ...write,
    id: 'portal.chat.update',
    method: 'PATCH',
    path: one,
    summary: 'Choose channel, what is announced, and from how many open reviews on.',
    body: s.chatChange,
    response: s.chatIntegration,
    success: [200],
    errors: ['not_found', 'conflict', 'service_unavailable'],
  }),
  defineEndpoint({
    ...write,
    id: 'portal.chat.remove',
    method: 'DELETE',
    path: one,
    summary:
      'Disconnect. The service revokes its access at the platform, and the answer says if the platform does not allow that.',
    response: s.chatRemoved,
    success: [200],
    errors: ['not_found'],
  }),
  defineEndpoint({
    ...read,
    id: 'portal.chat.deliveries',
    path: `${one}/deliveries`,
    summary: 'Announcements and their failures, newest first; also those of an app that was disconnected.',
    query: z.object({ ...paging, ...s.chatDeliveryFilters }),
    response: listOf(s.chatDelivery),
    errors: ['not_found'],
  }),
  defineEndpoint({
    ...write,
    id: 'portal.chat.replay',
    method: 'POST',
    path: `${one}/deliveries/{deliveryId}/replay`,
    summary: 'Send a finished announcement again, as a new one; the old one stays.',
    response: s.chatDelivery,
    success: [201],
    errors: ['not_found', 'conflict'],
  }),
] as const
