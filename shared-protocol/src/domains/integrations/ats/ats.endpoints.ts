import * as z from 'zod'
import { anonymous, user } from '../../../core/auth.ts'
import { defineEndpoint } from '../../../core/endpoint.ts'
import { listOf, paging, wholePagingQuery } from '../../../core/primitives.ts'
import * as s from './ats.schemas.ts'

const base = '/v1/orgs/{orgId}/integrations/ats'
const one = `${base}/{configId}` as const
const read = { method: 'GET', auth: [user('integration.manage')], success: [200], effect: 'read' } as const
const write = { auth: [user('integration.manage')], effect: 'write' } as const

/** Applicant tracking systems: a stage makes a session, and the session is told of beside the candidate. */
export const atsEndpoints = [
  defineEndpoint({
    ...read,
    id: 'portal.ats.capabilities',
    path: `${base}/capabilities`,
    summary: 'Which applicant tracking systems can be connected, and what each needs.',
    response: s.atsCapabilities,
  }),
  defineEndpoint({
    ...read,
    id: 'portal.ats.list',
    path: base,
    summary: 'The connected systems, never their credentials or inbound secrets.',
    query: wholePagingQuery,
    response: s.atsIntegrations,
  }),
  defineEndpoint({
    ...write,
    id: 'portal.ats.connect',
    grants: 'inbound_secret',
    method: 'POST',
    path: base,
    summary: 'Connect a system; the secret of its webhook is shown this once.',
    details:
      'The credentials are tried first: those that the provider does not take are refused. Where it cannot be asked, or a right is missing, `problem` says so.',
    body: s.atsConnect,
    response: s.atsConnected,
    success: [201],
    errors: ['conflict'],
  }),
  defineEndpoint({
    ...write,
    id: 'portal.ats.update',
    method: 'PATCH',
    path: one,
    summary: 'Change credentials, label, settings or status.',
    body: s.atsChange,
    response: s.atsIntegration,
    success: [200],
    errors: ['not_found', 'conflict'],
  }),
  defineEndpoint({
    ...write,
    id: 'portal.ats.remove',
    method: 'DELETE',
    path: one,
    summary: 'Disconnect: credentials are forgotten, webhooks refused, what waits is not sent. The sync log stays.',
    response: s.atsRemoved,
    success: [200],
    errors: ['not_found'],
  }),
  defineEndpoint({
    ...write,
    id: 'portal.ats.rotateSecret',
    grants: 'inbound_secret',
    method: 'POST',
    path: `${one}/rotate-secret`,
    summary: 'A new inbound secret, shown this once; the one before stops verifying at once.',
    response: s.atsSecret,
    success: [201],
    errors: ['not_found'],
  }),
  defineEndpoint({
    ...write,
    id: 'portal.ats.test',
    method: 'POST',
    path: `${one}/test`,
    summary:
      'Ask the provider for something small; nothing is changed there. What came of it is kept as `status` and `problem`.',
    response: s.atsTested,
    success: [200],
    errors: ['not_found'],
  }),
  defineEndpoint({
    ...read,
    id: 'portal.ats.sync',
    path: `${one}/sync`,
    summary: 'What came in and went out, newest first; also of a system that was disconnected.',
    query: z.object({ ...paging, ...s.atsSyncFilters }),
    response: listOf(s.atsSync),
    errors: ['not_found'],
  }),
  defineEndpoint({
    ...write,
    id: 'portal.ats.replay',
    method: 'POST',
    path: `${one}/sync/{syncId}/replay`,
    summary: 'Run one that failed again, as a new one; the old one stays.',
    response: s.atsSync,
    success: [201],
    errors: ['not_found', 'conflict'],
  }),
  defineEndpoint({
    id: 'ats.inbound',
    method: 'POST',
    path: '/v1/integrations/ats/{orgId}/{configId}',
    additive: true,
    summary: "What an applicant tracking system's webhook sends, signed by it.",
    details:
      'Answers 200 once it is durable. The same event again, however often, changes nothing. A wrong signature, an unknown ' +
      'address, one that was disconnected and a message that is too large (Greenhouse 256 KiB, others 64 KiB) get the same answer.',
    auth: [anonymous],
    headers: {
      signature: 'of Greenhouse: `sha256` and hex digits of the HMAC over the body',
      'greenhouse-event-id': 'of Greenhouse: which event',
      'ashby-signature': 'of Ashby: `sha256=` and hex digits of the HMAC over the body',
      'tt-signature': 'of Teamtailor: base64 of `t=…,v2=…`',
    },
    signed: true,
    ignoresUnknown: true,
    body: z.looseObject({}),
    maxBodyBytes: Math.max(...Object.values(s.atsMessageBytes)),
    response: s.atsTaken,
    success: [200],
    errors: ['unauthorized'],
    effect: 'write',
  }),
] as const
