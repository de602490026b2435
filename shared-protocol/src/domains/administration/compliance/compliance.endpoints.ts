import * as z from 'zod'
import { user } from '../../../core/auth.ts'
import { defineEndpoint } from '../../../core/endpoint.ts'
import { typedBrand } from '../../organisation/branding/branding.schemas.ts'
import { dataProcessing, statement, statementQuery } from './compliance.schemas.ts'

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
  defineEndpoint({
    id: 'portal.compliance.sentences',
    method: 'GET',
    path: '/v1/orgs/{orgId}/compliance/statement/sentences',
    additive: true,
    summary: 'The statement for works councils and data protection as it would be now: its sentences, unsigned.',
    auth: [user('audit.view')],
    query: statementQuery,
    response: statement,
    success: [200],
    effect: 'read',
  }),
  defineEndpoint({
    id: 'portal.compliance.paper',
    method: 'GET',
    path: '/v1/orgs/{orgId}/compliance/statement/paper',
    additive: true,
    summary:
      'The first page of a PDF with a brand that is being typed, for a frame of the desk: the statement, unsigned.',
    details: 'Nothing is saved. Its logo is the one that is saved.',
    auth: [user('branding.manage')],
    query: statementQuery.extend(typedBrand),
    response: z.any().meta({ description: 'application/pdf' }),
    success: [200],
    effect: 'read',
    kind: 'bytes',
    mediaTypes: ['application/pdf'],
  }),
  defineEndpoint({
    id: 'portal.compliance.statement',
    method: 'GET',
    path: '/v1/orgs/{orgId}/compliance/statement',
    additive: true,
    summary: 'The statement for works councils and data protection, signed, as PDF or JSON. Audited.',
    details:
      'Made from the configuration in force: `sentences`, each with its `section`, its `text` and what holds it (`heldBy`: a setting or a promise, and the test that fails where it is not so). ' +
      'JSON also has `sha256`, of the canonical JSON (RFC 8785) of all but `sha256` and `signature`, and `signature`: a signed note (C2SP) over `number` and that hash, under the key that signs checkpoints of the audit trail. ' +
      'The PDF says the same, with both. `X-Service-Statement-Sha256` is the hash. Whoever may read it gets a change of the configuration by mail: what was added, removed or changed.',
    auth: [user('audit.view')],
    query: statementQuery.extend({ format: z.enum(['json', 'pdf']).default('json') }),
    response: z.any().meta({ description: 'application/json or application/pdf' }),
    success: [200],
    effect: 'write',
    kind: 'bytes',
    mediaTypes: ['application/json', 'application/pdf'],
  }),
] as const
