import * as z from 'zod'
import { anonymous } from '../../../core/auth.ts'
import { defineEndpoint } from '../../../core/endpoint.ts'
import { signedDocument, updateApp, updateChannel } from './updates.schemas.ts'

export const updatesEndpoints = [
  defineEndpoint({
    id: 'updates.manifest',
    method: 'GET',
    path: '/v1/updates/manifest',
    summary: 'The signed update manifest: latest build, minimum supported version, recent installable builds.',
    auth: [anonymous],
    query: z.object({ app: updateApp, channel: updateChannel.default('stable') }),
    ignoresUnknown: true,
    response: signedDocument,
    success: [200],
    errors: ['not_found'],
    effect: 'read',
  }),
  defineEndpoint({
    id: 'updates.securityPolicy',
    method: 'GET',
    path: '/v1/security-policy',
    summary: 'The signed security policy: whether certificate pinning stays enforced.',
    auth: [anonymous],
    ignoresUnknown: true,
    response: signedDocument,
    success: [200],
    errors: ['not_found'],
    effect: 'read',
  }),
] as const
