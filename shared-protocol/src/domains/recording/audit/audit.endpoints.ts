import * as z from 'zod'
import { user } from '../../../core/auth.ts'
import { defineEndpoint } from '../../../core/endpoint.ts'
import { auditExportQuery, auditList, auditListQuery, chainReport } from './audit.schemas.ts'

const read = { method: 'GET', auth: [user('audit.view')], success: [200], effect: 'read' } as const
const path = '/v1/orgs/{orgId}/audit-logs'

/** What happened in an organisation, as a chain that nobody can change unnoticed. Reading it adds nothing to it. */
export const auditEndpoints = [
  defineEndpoint({
    ...read,
    id: 'portal.auditLogs.list',
    path,
    summary: 'The audit trail, newest first.',
    query: auditListQuery,
    response: auditList,
  }),
  defineEndpoint({
    ...read,
    id: 'portal.auditLogs.verify',
    path: `${path}/verify`,
    summary:
      'Recompute the whole hash chain, held against its head and its checkpoints; names the first row that fails.',
    response: chainReport,
  }),
  defineEndpoint({
    ...read,
    id: 'portal.auditLogs.export',
    path: `${path}/export`,
    summary: 'The canonical rows as JSON Lines, oldest first, and a signed checkpoint of them at the end.',
    details:
      'Each row is `{ "type": "row", "row", "payload"?, "salt"? }`; the last line is ' +
      '`{ "type": "end", "nextAfterSeq", "checkpoint", "verifierKey", "timestamp" }`. Without that line the export was cut short. ' +
      '`nextAfterSeq` is the `afterSeq` of the next part, null when this was the last one; without filters it is known ' +
      'beforehand and in `X-Service-Next-After-Seq` too. The checkpoint is of the last row here, with filters of the ' +
      "chain's head; null where the rows contradict an earlier one. " +
      '`timestamp` is the newest checkpoint up to there that a time-stamp authority stamped: `{ "rows", "at", "authority", ' +
      '"checkpoint", "token" }`, or null.',
    query: auditExportQuery,
    response: z.any().meta({ description: 'application/x-ndjson' }),
    kind: 'bytes',
    mediaTypes: ['application/x-ndjson'],
  }),
] as const
