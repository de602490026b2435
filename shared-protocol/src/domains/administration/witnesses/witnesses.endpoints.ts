import { user } from '../../../core/auth.ts'
import { defineEndpoint } from '../../../core/endpoint.ts'
import { witnessBody, witnessing } from './witnesses.schemas.ts'

const path = '/v1/orgs/{orgId}/audit-logs/witnesses'

/** Where the signed checkpoints of an organisation's audit trail go, so that they lie outside of this service. */
export const witnessesEndpoints = [
  defineEndpoint({
    id: 'portal.witnesses.get',
    additive: true,
    method: 'GET',
    path,
    summary: 'Where checkpoints of the audit trail are sent, and what was sent last.',
    auth: [user('audit.view')],
    success: [200],
    response: witnessing,
    effect: 'read',
  }),
  defineEndpoint({
    id: 'portal.witnesses.set',
    additive: true,
    method: 'PUT',
    path,
    summary: 'Choose where checkpoints of the audit trail are sent: mail, webhook, a witness.',
    details:
      'Whoever keeps one can show later that the trail was cut or rewritten, whatever became of this service: `audit verify --against FILE` takes them. All three are off at first.',
    auth: [user('org.manage')],
    success: [200],
    body: witnessBody,
    response: witnessing,
    effect: 'write',
  }),
] as const
