import * as z from 'zod'
import { boundedPeriod } from '../../../core/period.ts'
import { environment, id } from '../../../core/primitives.ts'
import { evidenceTypeNames } from '../../interviews/lanes/lanes.evidence.ts'

/** Sessions that are shown as the heaviest. */
export const heaviestShown = 10

const count = z.number().int().min(0)
const bytes = count.meta({ description: 'bytes' })

export const usageQuery = boundedPeriod('the days of `daily`')

export const usage = z
  .object({
    totals: z.object({ objects: count, sizeBytes: bytes }).meta({ description: 'the data that is stored now' }),
    byType: z.array(z.object({ evidenceType: z.enum(evidenceTypeNames), objects: count, sizeBytes: bytes })),
    daily: z
      .array(z.object({ date: z.iso.date(), addedBytes: bytes, erasedBytes: bytes }))
      .meta({ description: 'every day of the time asked for, in UTC' }),
    heaviest: z
      .array(z.object({ sessionId: id('ses'), environment, externalId: z.string().nullable(), sizeBytes: bytes }))
      .meta({ description: `at most ${heaviestShown} sessions, heaviest first` }),
  })
  .meta({ id: 'Usage', description: 'evidence of both environments, as its plain bytes' })
