import { user } from '../../../core/auth.ts'
import { defineEndpoint } from '../../../core/endpoint.ts'
import { timestampBody, timestamping } from './timestamps.schemas.ts'

const path = '/v1/orgs/{orgId}/audit-logs/timestamps'

/** The time-stamp authority that an organisation has its checkpoints stamped by. */
export const timestampsEndpoints = [
  defineEndpoint({
    id: 'portal.timestamps.get',
    additive: true,
    method: 'GET',
    path,
    summary: 'Who stamps checkpoints of the audit trail, and the newest time stamp.',
    auth: [user('audit.view')],
    success: [200],
    response: timestamping,
    effect: 'read',
  }),
  defineEndpoint({
    id: 'portal.timestamps.set',
    additive: true,
    method: 'PUT',
    path,
    summary:
      'Choose a time-stamp authority (RFC 3161). It is asked for one time stamp first, and refused if that does not hold.',
    details:
      'From then on each checkpoint that is kept is stamped soon after. What is sent is the SHA-256 of its first three lines and a random number, and nothing of the trail itself. Null: no more are asked for, and those that are there stay.',
    auth: [user('org.manage')],
    success: [200],
    body: timestampBody,
    response: timestamping,
    effect: 'write',
  }),
] as const
