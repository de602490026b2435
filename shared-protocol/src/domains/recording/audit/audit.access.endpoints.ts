import * as z from 'zod'
import { user } from '../../../core/auth.ts'
import { defineEndpoint } from '../../../core/endpoint.ts'
import { id, instant, listOf, pagingQuery } from '../../../core/primitives.ts'
import { evidenceSource } from '../evidence/evidence.schemas.ts'
import { auditTotalMax } from './audit.schemas.ts'

const access = z
  .object({
    seq: z.number().int().meta({ description: 'place in the audit trail' }),
    at: instant,
    who: z.object({
      kind: z
        .string()
        .meta({ description: '`download`: by a download link, and `id` and `name` say who asked for that' }),
      id: z.string(),
      name: z.string().nullable().meta({ description: 'address of a person, label of an API key' }),
    }),
    what: z.string().meta({
      description:
        'the action, as the audit trail has it; `session.watched` stands once for a person, session and minute, `evidence.played` ' +
        'once for what somebody looked through without a break, as far as it is on this page',
    }),
    firstAt: instant.optional().meta({ description: 'when the first look of several began; absent where it is one' }),
    source: evidenceSource.optional().meta({ description: 'of `evidence.played`: what had recorded it' }),
    fromMs: z.number().int().optional().meta({ description: 'milliseconds since the session started' }),
    toMs: z.number().int().optional(),
    objects: z.number().int().optional().meta({ description: 'items that it held, those that were erased left out' }),
    evidenceId: id('evd').optional(),
    compositionId: id('cmp').optional(),
    range: z
      .object({ start: z.number().int(), end: z.number().int() })
      .optional()
      .meta({ description: 'the bytes that went out, without the one at `end`' }),
  })
  .meta({ id: 'Access' })

export const auditAccessEndpoints = [
  defineEndpoint({
    id: 'portal.sessions.accessLog',
    method: 'GET',
    path: '/v1/sessions/{id}/access-log',
    summary: 'Who opened or exported what of a session, newest first.',
    auth: [user('access_log.view')],
    sessionParam: 'id',
    query: pagingQuery,
    response: listOf(access, {
      totalIsExact: z.boolean().meta({ description: `false where more than ${auditTotalMax} match` }),
    }),
    success: [200],
    effect: 'read',
  }),
] as const
