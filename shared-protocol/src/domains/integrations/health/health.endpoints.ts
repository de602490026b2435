import * as z from 'zod'
import { anonymous } from '../../../core/auth.ts'
import { defineEndpoint } from '../../../core/endpoint.ts'

export const healthEndpoints = [
  defineEndpoint({
    id: 'health.live',
    method: 'GET',
    path: '/v1/health',
    summary: 'Answers while the process lives.',
    auth: [anonymous],
    ignoresUnknown: true,
    response: z.object({
      status: z.literal('ok'),
      version: z.string(),
      uptimeSeconds: z.number(),
      /** The commit that this process was built from; `unknown` where nothing says. */
      commit: z.string().optional(),
      /** The newest migration that this process knows. */
      migration: z.string().optional(),
    }),
    success: [200],
    effect: 'read',
  }),
  defineEndpoint({
    id: 'health.ready',
    method: 'GET',
    path: '/v1/health/ready',
    summary: 'Checks the database, the migrations, the store and the master key, and says which one fails.',
    auth: [anonymous],
    ignoresUnknown: true,
    response: z.object({
      status: z.literal('ready'),
      checks: z.record(z.string(), z.literal('ok')),
      /**
       * Whether this process counts together with the others: `own` where there are none, `away` while it goes on with its
       * share alone.
       */
      sharedState: z.enum(['own', 'shared', 'away']),
      limited: z
        .array(z.object({ path: z.string(), message: z.string() }))
        .optional()
        .meta({
          description:
            'the disk, when it is full: it can only be read from, and writes are refused with 503; buckets of organisations that do not answer: requests that need them are refused with 503; a replica that is passed over; wake-ups of other processes that are not heard',
        }),
      overdueObjects: z.number().int().min(0).optional().meta({
        description: 'objects past the retention window in force; absent before the first look',
      }),
    }),
    success: [200],
    effect: 'read',
  }),
] as const
