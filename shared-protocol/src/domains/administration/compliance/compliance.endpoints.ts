import { user } from '../../../core/auth.ts'
import { defineEndpoint } from '../../../core/endpoint.ts'
import { dataProcessing } from './compliance.schemas.ts'

/** What an organisation answers for. */
export const complianceEndpoints = [
  defineEndpoint({
    id: 'portal.compliance.dataProcessing',
    method: 'GET',
    path: '/v1/orgs/{orgId}/compliance/data-processing',
    summary: 'Which data about candidates is collected, who can read it, where it goes, and how long it is stored.',
    details: 'Made at each request from the registry that the service enforces and from the configuration in force.',
    auth: [user('audit.view')],
    response: dataProcessing,
    success: [200],
    effect: 'read',
  }),
] as const
