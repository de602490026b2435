import * as z from 'zod'
import { apiKey } from '../../../core/auth.ts'
import { defineEndpoint } from '../../../core/endpoint.ts'
import { id, instant } from '../../../core/primitives.ts'
import { evidenceType } from '../../recording/evidence/evidence.schemas.ts'
import { report, reportStatus } from './reports.schemas.ts'

export const reportsEndpoints = [
  defineEndpoint({
    id: 'sessions.report',
    method: 'GET',
    path: '/v1/api/sessions/{id}/report',
    summary: 'Durations, counts, evidence inventory, coverage and notes. Observations only, never a conclusion.',
    auth: [apiKey('reports:read')],
    response: report,
    success: [200],
    effect: 'read',
  }),
  defineEndpoint({
    id: 'sessions.reviewStatus',
    method: 'GET',
    path: '/v1/api/sessions/{id}/review-status',
    summary: 'The approved status and revision, and what evidence remains; no notes, no observations.',
    auth: [apiKey('sessions:read')],
    response: z.object({
      sessionId: id('ses'),
      status: reportStatus,
      revision: z.number().int(),
      approved: z.boolean().meta({ description: 'signed off, and nothing has come after it' }),
      stale: z.boolean().meta({ description: 'something has come after the newest sign-off' }),
      signedOffAt: instant.nullable(),
      evidence: z.object({
        objects: z.number().int().meta({ description: 'erased ones included' }),
        erasedObjects: z.number().int(),
        remaining: z.array(z.object({ evidenceType, objects: z.number().int() })),
      }),
      remainingEvidence: z.object({ objects: z.number().int(), sizeBytes: z.number().int() }),
    }),
    success: [200],
    effect: 'read',
  }),
] as const
